package dev.evenkeel.grpc;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.contract.AttackedServer;
import java.util.UUID;

/** The server that {@link HostileStreamsTest} attacks, with the token of another user. */
final class HostileGrpcServer {
    /** The token of another user. */
    static final String HOSTILE = "the-token-of-mallory";

    private HostileGrpcServer() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (Engine engine = Engine.create();
                GrpcServer server = GrpcServer.builder(engine)
                        .tls(false)
                        .token(UUID.randomUUID().toString(), User.ADMIN)
                        .token(HOSTILE, User.of("mallory"))
                        .start()) {
            AttackedServer.serve(server.target(), server.token());
        }
    }
}
