package dev.evenkeel.server;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.contract.AttackedServer;
import java.util.UUID;

/** The server that {@link HostileClientsTest} attacks, with the token of another user. */
final class HostileServer {
    /** The token of another user. */
    static final String HOSTILE = "the-token-of-mallory";

    private HostileServer() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (Engine engine = Engine.create();
                Server server = Server.builder(engine)
                        .token(UUID.randomUUID().toString(), User.ADMIN)
                        .token(HOSTILE, User.of("mallory"))
                        .start()) {
            AttackedServer.serve(server.url().toString(), server.token());
        }
    }
}
