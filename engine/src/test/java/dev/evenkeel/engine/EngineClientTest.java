package dev.evenkeel.engine;

import dev.evenkeel.client.Client;
import org.junit.jupiter.api.AfterEach;

/** The client in process. */
class EngineClientTest extends ClientContract {
    private final Engine engine = Engine.create();

    @Override
    protected Client client() {
        return engine.partition(Engine.DEFAULT_PARTITION).client("contract");
    }

    @Override
    protected void compact() {
        engine.store().compact(engine.store().revision());
    }

    @AfterEach
    void close() {
        engine.close();
    }
}
