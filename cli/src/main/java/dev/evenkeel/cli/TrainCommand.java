package dev.evenkeel.cli;

import dev.evenkeel.kubernetes.Connection;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Runs the code of a start once, so that the JVM can record the classes it loaded: the launcher runs this after a
 * build, and at the first start.
 *
 * <p>A JVM links all recorded classes when it starts, whether it needs them or not, which takes 40 microseconds of a
 * processor for each: so a server has a cache of its own, with half of the classes.
 */
@Command(name = "train", hidden = true, description = "Runs the code to include in a start-up cache.")
final class TrainCommand implements Callable<Integer> {
    /** The commands that have a cache. */
    private enum Trained {
        SERVER,
        DEMO
    }

    @Option(
            names = "--jar",
            paramLabel = "FILE",
            description = "instead of running code, write the class path of this process as one jar, to train with.")
    private @Nullable Path jar;

    @Parameters(arity = "0..1", paramLabel = "COMMAND", description = "the command: ${COMPLETION-CANDIDATES}")
    private Trained command = Trained.DEMO;

    @Override
    public Integer call() throws InterruptedException {
        try {
            if (jar != null) {
                SingleJar.write(classPath(), jar);
                return 0;
            }
            Path directory = Files.createTempDirectory("evenkeel-train");
            Path kubeconfig = directory.resolve("kubeconfig");
            try {
                if (command == Trained.SERVER) {
                    serve(kubeconfig);
                    return 0;
                }
                execute("--version");
                return execute("demo", "--once", "--kubeconfig", kubeconfig.toString());
            } finally {
                Files.delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .toList();
    }

    private static int execute(String... arguments) {
        return Evenkeel.commandLine(arguments).execute(arguments);
    }

    /** Runs a server until it has answered a request. */
    private static void serve(Path kubeconfig) throws InterruptedException, IOException {
        Thread server = Thread.ofPlatform()
                .start(() -> execute("server", "--port", "0", "--kubeconfig", kubeconfig.toString()));
        while (!Files.exists(kubeconfig)) {
            if (server.join(Duration.ofMillis(10))) {
                throw new Failure("the server did not start");
            }
        }
        try {
            request(Connection.fromKubeconfig(kubeconfig));
        } finally {
            server.interrupt();
            server.join();
        }
    }

    /** Lists the namespaces without the classes of a client, which a server does not need. */
    private static void request(Connection connection) throws IOException {
        HttpsURLConnection request = (HttpsURLConnection)
                connection.server().resolve("/api/v1/namespaces").toURL().openConnection();
        request.setSSLSocketFactory(connection.tls().orElseThrow().getSocketFactory());
        request.setRequestProperty(
                "Authorization", "Bearer " + connection.tokens().orElseThrow().token());
        try (InputStream answer = request.getInputStream()) {
            answer.transferTo(OutputStream.nullOutputStream());
        }
    }
}
