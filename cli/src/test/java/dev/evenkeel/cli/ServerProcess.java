package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kubernetes.Connection;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** {@code evenkeel server} in a process of its own. */
final class ServerProcess implements AutoCloseable {
    private final JavaProcess process;
    private final Path kubeconfig;

    private ServerProcess(JavaProcess process, Path kubeconfig) {
        this.process = process;
        this.kubeconfig = kubeconfig;
    }

    /** Starts a server without TLS. */
    static ServerProcess start(Path directory, String... more) throws IOException, InterruptedException {
        return startWithTls(
                directory,
                Stream.concat(Stream.of("--plain-http"), Stream.of(more)).toArray(String[]::new));
    }

    /** Starts a server with TLS, without which kubectl sends no token. */
    static ServerProcess startWithTls(Path directory, String... more) throws IOException, InterruptedException {
        Path kubeconfig = directory.resolve("kubeconfig");
        List<String> arguments =
                new ArrayList<>(List.of("server", "--port", "0", "--kubeconfig", kubeconfig.toString()));
        arguments.addAll(List.of(more));
        JavaProcess process = JavaProcess.start(Evenkeel.class, arguments.toArray(String[]::new));
        process.await(line -> line.startsWith("serving on "));
        return new ServerProcess(process, kubeconfig);
    }

    /** Ends it with SIGKILL. */
    void kill() throws InterruptedException {
        process.kill();
    }

    /** Waits until it prints a line. */
    void await(String line) throws InterruptedException {
        process.await(line::equals);
    }

    /** Waits until {@code /readyz} answers with a code. There is no event of it, hence asks again and again. */
    void awaitReady(int code) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (get("/readyz") != code) {
            assertThat(System.nanoTime())
                    .as("time at which /readyz answers " + code)
                    .isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** Returns the code of the answer to a GET without credentials. */
    int get(String path) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest request =
                    HttpRequest.newBuilder(connection().server().resolve(path)).build();
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    Path kubeconfig() {
        return kubeconfig;
    }

    Connection connection() {
        return Connection.fromKubeconfig(kubeconfig);
    }

    /** The present value of a metric without labels. */
    double metric(String name) throws IOException, InterruptedException {
        Matcher token = Pattern.compile("token: \"?([^\\s\"]+)").matcher(Files.readString(kubeconfig));
        assertThat(token.find()).isTrue();
        try (HttpClient http = HttpClient.newHttpClient()) {
            String metrics = http.send(
                            HttpRequest.newBuilder(connection().server().resolve("/metrics"))
                                    .header("Authorization", "Bearer " + token.group(1))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
            Matcher value =
                    Pattern.compile("^" + name + " (\\S+)$", Pattern.MULTILINE).matcher(metrics);
            assertThat(value.find()).as(metrics).isTrue();
            return Double.parseDouble(value.group(1));
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
