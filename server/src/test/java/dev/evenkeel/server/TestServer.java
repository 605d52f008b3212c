package dev.evenkeel.server;

import java.net.URI;
import org.junit.jupiter.api.Assumptions;

/**
 * A fresh server on loopback for one test.
 *
 * @param base its address
 * @param token of its administrator
 * @param stop ends it
 */
record TestServer(URI base, String token, Runnable stop) implements AutoCloseable {
    /** Starts a server with an empty store, or names the one of the system properties evenkeel.url and evenkeel.token. */
    static TestServer start() {
        String url = System.getProperty("evenkeel.url", "");
        if (!url.isEmpty()) {
            return new TestServer(URI.create(url), System.getProperty("evenkeel.token", ""), () -> {});
        }
        return Assumptions.abort("the server is not there yet");
    }

    @Override
    public void close() {
        stop.run();
    }
}
