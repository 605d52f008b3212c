package dev.evenkeel.junit.internal;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.server.Server;
import java.util.function.Consumer;

/** Starts the server of a cluster, for clients that need a connection. */
public final class Loopback {
    private Loopback() {}

    /** Returns a server that listens on a port of loopback, and whose requests are counted and recorded. */
    public static Server start(Engine engine, Activity activity, Consumer<String> journal) {
        return Server.builder(engine)
                .port(0)
                .handler(api -> new CountedRequests(activity, journal, api))
                .start();
    }
}
