package dev.evenkeel.grpc;

import dev.evenkeel.engine.Engine;
import java.io.IOException;
import java.lang.management.ManagementFactory;

/**
 * The server that {@link HostileStreamsTest} attacks, in a process with a small heap. For each line of its input it
 * collects its garbage, and prints the bytes of heap that remain in use; it ends with its input.
 */
final class HostileGrpcServer {
    private HostileGrpcServer() {}

    public static void main(String[] arguments) throws IOException {
        try (Engine engine = Engine.create();
                GrpcServer server = GrpcServer.builder(engine).tls(false).start()) {
            System.out.println(server.target() + " " + server.token());
            while (System.in.read() >= 0) {
                System.gc();
                System.out.println(
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
            }
        }
    }
}
