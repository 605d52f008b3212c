package dev.evenkeel.cli;

import dev.evenkeel.client.ListOptions;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import io.fabric8.kubernetes.api.model.Namespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Runs the code of a start once, so that the JVM can record the classes it loaded: the launcher runs this after a
 * build.
 */
@Command(name = "train", hidden = true, description = "Runs the code to include in the start-up cache.")
final class TrainCommand implements Callable<Integer> {
    @Override
    public Integer call() throws InterruptedException {
        try {
            Path directory = Files.createTempDirectory("evenkeel-train");
            try {
                execute("--version");
                serve(directory.resolve("server"));
                return execute(
                        "demo",
                        "--once",
                        "--kubeconfig",
                        directory.resolve("demo").toString());
            } finally {
                Files.delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int execute(String... arguments) {
        return Evenkeel.commandLine(arguments).execute(arguments);
    }

    /** Runs a server until it has answered a request. */
    private static void serve(Path kubeconfig) throws InterruptedException {
        Thread server = Thread.ofPlatform()
                .start(() -> execute("server", "--port", "0", "--kubeconfig", kubeconfig.toString()));
        while (!Files.exists(kubeconfig)) {
            if (server.join(Duration.ofMillis(10))) {
                throw new Failure("the server did not start");
            }
        }
        try (KubernetesClient client = KubernetesClient.connect(Connection.fromKubeconfig(kubeconfig))) {
            var _ = client.list(Namespace.class, ListOptions.ALL);
        } finally {
            server.interrupt();
            server.join();
        }
    }
}
