package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.contract.JavaProcess;
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
        return started(directory, JavaProcess.start(Evenkeel.class, arguments(directory, more)));
    }

    /** Starts a server without TLS that can have only so many files and sockets open. */
    static ServerProcess startWithFiles(int files, Path directory) throws IOException, InterruptedException {
        String[] arguments = arguments(directory, "--plain-http");
        return started(directory, JavaProcess.startWithFiles(files, Evenkeel.class, arguments));
    }

    /** Starts a server without TLS with a heap of so many megabytes, which can be measured. */
    static ServerProcess startWithHeap(int megabytes, Path directory, String... more)
            throws IOException, InterruptedException {
        String[] all = Stream.concat(Stream.of("--plain-http"), Stream.of(more)).toArray(String[]::new);
        return started(directory, JavaProcess.startWithHeap(megabytes, Evenkeel.class, arguments(directory, all)));
    }

    private static String[] arguments(Path directory, String... more) {
        Path kubeconfig = directory.resolve("kubeconfig");
        List<String> arguments =
                new ArrayList<>(List.of("server", "--port", "0", "--kubeconfig", kubeconfig.toString()));
        arguments.addAll(List.of(more));
        return arguments.toArray(String[]::new);
    }

    private static ServerProcess started(Path directory, JavaProcess process) throws InterruptedException {
        process.await(line -> line.startsWith("serving on "));
        return new ServerProcess(process, directory.resolve("kubeconfig"));
    }

    /** Ends it with SIGTERM; its exit code. */
    int terminate() throws InterruptedException {
        return process.terminate();
    }

    /** Returns the bytes of heap that are in use after a collection; it was started with a heap. */
    long heap() throws InterruptedException {
        return process.heap();
    }

    /** Returns its output, and its log. */
    List<String> lines() {
        return process.lines();
    }

    /** Returns the token of the administrator. */
    String token() throws IOException {
        Matcher token = Pattern.compile("token: \"?([^\\s\"]+)").matcher(Files.readString(kubeconfig));
        assertThat(token.find()).isTrue();
        return token.group(1);
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
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
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
        try (HttpClient http = HttpClient.newHttpClient()) {
            String metrics = http.send(
                            HttpRequest.newBuilder(connection().server().resolve("/metrics"))
                                    .header("Authorization", "Bearer " + token())
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
