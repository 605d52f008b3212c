package dev.evenkeel.server;

import dev.evenkeel.engine.Engine;
import java.io.IOException;

/** The server that {@link HostileClientsTest} attacks, in a process with a small heap; it ends with its input. */
final class HostileServer {
    private HostileServer() {}

    public static void main(String[] arguments) throws IOException {
        try (Engine engine = Engine.create();
                Server server = Server.builder(engine).start()) {
            System.out.println(server.url() + " " + server.token());
            while (System.in.read() >= 0) {
                // until the test ends
            }
        }
    }
}
