package dev.evenkeel.server;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.UUID;

/**
 * The server that {@link HostileClientsTest} attacks, in a process with a small heap. For each line of its input it
 * collects its garbage, and prints the bytes of heap that remain in use; it ends with its input.
 */
final class HostileServer {
    /** The token of another user. */
    static final String HOSTILE = "the-token-of-mallory";

    private HostileServer() {}

    public static void main(String[] arguments) throws IOException {
        try (Engine engine = Engine.create();
                Server server = Server.builder(engine)
                        .token(UUID.randomUUID().toString(), User.ADMIN)
                        .token(HOSTILE, User.of("mallory"))
                        .start()) {
            System.out.println(server.url() + " " + server.token());
            while (System.in.read() >= 0) {
                System.gc();
                System.out.println(
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
            }
        }
    }
}
