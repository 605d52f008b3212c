package dev.evenkeel.server;

import dev.evenkeel.client.Client;
import dev.evenkeel.engine.ClientContract;
import dev.evenkeel.engine.Engine;
import org.junit.jupiter.api.AfterEach;

/** The same calls and outcomes over REST as in process. */
class RestClientTest extends ClientContract {
    private final Engine engine = Engine.create();
    private final Server server = Server.builder(engine).insecure().start();
    private final Client client = new RestClient(server.url(), "contract");

    @Override
    protected Client client() {
        return client;
    }

    @Override
    protected void compact() {
        engine.store().compact(engine.store().revision());
    }

    @AfterEach
    void close() {
        server.close();
        engine.close();
    }
}
