package dev.evenkeel.benchmarks;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.store.etcd.EtcdOptions;
import java.io.IOException;
import java.util.List;

/** An API server on etcd, in a process of its own, without TLS. */
final class FleetServerProcess implements AutoCloseable {
    private final JavaProcess process;
    private final int port;

    /** Starts a server; returns when it listens. */
    FleetServerProcess(String endpoint) throws IOException {
        process = new JavaProcess(
                "API server",
                FleetServerProcess.class,
                List.of("-XX:+UseCompactObjectHeaders", "-XX:+UseSerialGC", "-Xms512m", "-Xmx512m"),
                List.of(endpoint));
        port = Integer.parseInt(process.answer("serves")[1]);
    }

    int port() {
        return port;
    }

    ProcessHandle process() {
        return ProcessHandle.of(process.pid()).orElseThrow();
    }

    @Override
    public void close() {
        process.close();
    }

    /** Runs the process: the argument is the endpoint of etcd; it ends with the input. */
    public static void main(String[] args) throws Exception {
        Engine engine = Engine.builder()
                .store(EtcdOptions.at(args[0]).prefix("/fleet/"))
                .build();
        try (EvenkeelServer server = new EvenkeelServer(engine)) {
            System.out.println("serves " + server.port());
            JavaProcess.serve(words -> {});
        }
    }
}
