package dev.evenkeel.benchmarks;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;

/** An API server in a process of its own, with TLS and a token, as the load harness starts it. */
final class ApiServerProcess implements AutoCloseable {
    /** More than any suite opens. */
    private static final int WATCHES = 1_000_000;

    private final Path kubeconfig;
    private final JavaProcess process;

    /** Starts a server in memory; returns when it listens. */
    ApiServerProcess() throws IOException {
        kubeconfig = Files.createTempFile("evenkeel-bench", "kubeconfig");
        Files.setPosixFilePermissions(
                kubeconfig, Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
        process = new JavaProcess(
                "API server",
                ApiServerProcess.class,
                List.of("-XX:+UseCompactObjectHeaders", "-XX:+UseParallelGC", "-Xmx3g"),
                List.of(kubeconfig.toString()));
        String[] _ = process.answer("serves");
    }

    Connection connection() {
        return Connection.fromKubeconfig(kubeconfig);
    }

    KubernetesClient fabric8() {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
                .build();
    }

    /** Returns the bytes of live objects of the server. */
    long heap() throws IOException {
        process.say("heap");
        return Long.parseLong(process.answer("heap")[1]);
    }

    @Override
    public void close() throws IOException {
        process.close();
        Files.delete(kubeconfig);
    }

    /** Runs the process: the argument is the file for the kubeconfig; it ends with the input. */
    public static void main(String[] args) throws Exception {
        try (Engine engine = Engine.create();
                Server server = Server.builder(engine)
                        .limits(Server.Limits.DEFAULT.maxWatches(WATCHES))
                        .start()) {
            Files.writeString(Path.of(args[0]), server.kubeconfig());
            System.out.println("serves");
            JavaProcess.serve(words -> System.out.println("heap " + Heap.used()));
        }
    }
}
