package dev.evenkeel.server;

import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import java.net.URI;
import java.util.List;

/**
 * A fresh server on loopback for one test.
 *
 * @param base its address
 * @param token of its administrator
 * @param kubeconfig for kubectl, which sends tokens over TLS only
 * @param stop ends it
 */
record TestServer(URI base, String token, String kubeconfig, Runnable stop) implements AutoCloseable {
    private static final String TOKEN = "admintoken";

    /** Starts a server with an empty store, or names the one of the system properties evenkeel.url and evenkeel.token. */
    static TestServer start() {
        String url = System.getProperty("evenkeel.url", "");
        return url.isEmpty()
                ? start(Engine.create())
                : new TestServer(URI.create(url), System.getProperty("evenkeel.token", ""), "", () -> {});
    }

    /** Starts a server that, as an API server alone, neither collects garbage nor empties namespaces. */
    static TestServer startWithoutControllers() {
        return start(Engine.builder().controllers(false).build());
    }

    /**
     * Starts a server with access control for two users, {@code admin} and {@code jane}, and for requests without
     * credentials.
     */
    static TestServer startWithAccessControl(boolean controllers) {
        Engine engine = Engine.builder()
                .authorization(Authorization.RBAC)
                .controllers(controllers)
                .build();
        Server.Builder builder = Server.builder(engine).tls(false).anonymous(true);
        return of(engine, builder, new User("jane", "jane-uid", List.of("devs")));
    }

    /** Starts a server as users get it: with TLS. */
    static TestServer startWithTls() {
        Engine engine = Engine.create();
        return of(engine, Server.builder(engine));
    }

    /** Starts a server on this engine, and closes both. */
    static TestServer start(Engine engine) {
        return of(engine, Server.builder(engine).tls(false));
    }

    private static TestServer of(Engine engine, Server.Builder builder, User jane) {
        builder.token(TOKEN, new User("admin", "admin-uid", List.of(User.MASTERS)));
        return of(engine, builder.token("usertoken", jane));
    }

    private static TestServer of(Engine engine, Server.Builder builder) {
        Server server = builder.token(TOKEN, new User("admin", "admin-uid", List.of("system:masters")))
                .start();
        return new TestServer(server.url(), TOKEN, server.kubeconfig(), () -> {
            server.close();
            engine.close();
        });
    }

    @Override
    public void close() {
        stop.run();
    }
}
