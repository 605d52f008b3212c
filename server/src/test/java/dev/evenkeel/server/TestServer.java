package dev.evenkeel.server;

import dev.evenkeel.engine.Engine;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * A fresh server on loopback for one test.
 *
 * @param base its address
 * @param token of its administrator
 * @param stop ends it
 */
record TestServer(URI base, String token, Runnable stop) implements AutoCloseable {
    private static final String TOKEN = "admintoken";

    /** Starts a server with an empty store, or names the one of the system properties evenkeel.url and evenkeel.token. */
    static TestServer start() {
        String url = System.getProperty("evenkeel.url", "");
        return url.isEmpty()
                ? start(Engine.create())
                : new TestServer(URI.create(url), System.getProperty("evenkeel.token", ""), () -> {});
    }

    /** Starts a server that, as an API server alone, neither collects garbage nor empties namespaces. */
    static TestServer startWithoutControllers() {
        return start(Engine.builder().controllers(false).build());
    }

    /** Starts a server on this engine, and closes both. */
    static TestServer start(Engine engine) {
        Server server = Server.builder(name -> Optional.of(engine.partition(name.isEmpty() ? "default" : name)))
                .plainHttp()
                .token(TOKEN, new User("admin", "admin-uid", List.of("system:masters")))
                .start();
        return new TestServer(server.url(), TOKEN, () -> {
            server.close();
            engine.close();
        });
    }

    @Override
    public void close() {
        stop.run();
    }
}
