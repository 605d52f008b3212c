package dev.evenkeel.benchmarks;

import dev.evenkeel.client.Client;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.server.Server;
import java.net.URI;

/** An engine behind an HTTP server. */
final class EvenkeelServer implements ServerUnderTest {
    private final Engine engine;
    private final Server server;

    /** Starts a server of an engine in memory. */
    EvenkeelServer() {
        this(Engine.create());
    }

    /** Starts a server of an engine, which it closes. */
    EvenkeelServer(Engine engine) {
        this.engine = engine;
        server = Server.builder(engine).authentication(false).tls(false).start();
    }

    /** Returns a client of the engine, without HTTP. */
    Client client() {
        return engine.client();
    }

    URI url() {
        return server.url();
    }

    @Override
    public int port() {
        return server.url().getPort();
    }

    @Override
    public void fill(int from, int to) {
        ResourceApi partition = ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION));
        Target maps =
                partition.types().resource("", "v1", "configmaps").orElseThrow().withName("default", "");
        for (int i = from; i < to; i++) {
            partition.create(maps, Body.json(StoredObjects.configMap(i)), WriteOptions.DEFAULT);
        }
    }

    @Override
    public void close() {
        server.close();
        engine.close();
    }
}
