package dev.evenkeel.testing.call;

import dev.evenkeel.client.Client;

class ReactiveClientTest extends ReactiveClientContract {
    @Override
    Client behind(Client engine) {
        return engine;
    }
}
