package dev.evenkeel.soak.torture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Rounds with servers that hang, fail or end; the process that is stopped is another one. */
@Isolated
@Timeout(300)
class RoundTest {
    private static final String SLEEPS = "echo serving on a port; exec sleep 600";
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private HttpServer server;

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** Answers all but watches, which deliver nothing. */
    private void serve(int writeCode) {
        server.createContext("/", exchange -> {
            if (String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=true")) {
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().flush();
                return; // stays open
            }
            boolean write = !exchange.getRequestMethod().equals("GET");
            String path = exchange.getRequestURI().getPath();
            String name = path.substring(path.lastIndexOf('/') + 1);
            if (write && writeCode == 201) {
                answer(exchange, 201, """
                        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "resourceVersion": "7"}}""");
            } else if (write) {
                answer(exchange, writeCode, status(writeCode, "ServiceUnavailable", name, "out of order"));
            } else if (name.equals("configmaps")) {
                answer(exchange, 200, """
                        {"apiVersion": "v1", "kind": "ConfigMapList", "metadata": {"resourceVersion": "6"}, "items": []}""");
            } else {
                answer(exchange, 404, status(404, "NotFound", name, "not found"));
            }
        });
    }

    private static String status(int code, String reason, String name, String message) {
        return """
                {"apiVersion": "v1", "kind": "Status", "status": "Failure", "code": %d, "reason": "%s", "message": "%s",
                 "details": {"kind": "configmaps", "name": "%s"}}""".formatted(code, reason, message, name);
    }

    private static void answer(HttpExchange exchange, int code, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** Returns the problems of a round whose process executes a script. */
    private List<String> problems(String script, Duration patience) throws Exception {
        Path kubeconfig = directory.resolve("kubeconfig");
        Files.writeString(kubeconfig, """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
                contexts: [{name: c, context: {cluster: c, user: u}}]
                users: [{name: u, user: {}}]
                current-context: c
                """.formatted(server.getAddress().getPort()));
        Torture.Options options = new Torture.Options(1, Duration.ofMinutes(1), 2, patience, 1);
        Random shortest = new Random(1) {
            @Override
            public int nextInt(int bound) {
                return 0;
            }
        };
        try (Victim victim = Victim.start(List.of("sh", "-c", script), kubeconfig)) {
            Server only = new Server(victim, patience.dividedBy(3));
            Scene scene = new Scene(List.of(only), directory, Optional.empty(), List.of(Fault.STOP));
            return new Round(scene, options, new Tally(), new History(5, Map.of()), shortest).run(Fault.STOP);
        }
    }

    @Test
    void aServerThatRefusesAllWritesEndsTheRound() throws Exception {
        serve(503);
        assertThat(problems(SLEEPS, SHORT))
                .containsExactly("the server did not accept a write for 1s: out of order", "in a round with stop");
    }

    @Test
    void watchesThatDeliverNothingEndTheRound() throws Exception {
        serve(201);
        assertThat(problems(SLEEPS, SHORT).getFirst())
                .startsWith("watches did not deliver up to revision 7 for 1s: watch 1 in ")
                .contains(", watch 2 in ", ", watch 3 in ");
    }

    @Test
    void anInternalErrorIsAProblem() throws Exception {
        serve(500);
        assertThat(problems(SLEEPS, LONG)).contains("the server failed: out of order");
    }

    @Test
    void aServerThatEndsBeforeItIsStoppedIsAProblem() throws Exception {
        serve(503);
        assertThat(problems("echo out of memory; echo serving on a port; exit 3", LONG))
                .contains("the server ended with code 3: out of memory | serving on a port");
    }

    @Test
    void aServerThatEndsIsAProblem() throws Exception {
        serve(503);
        assertThat(problems("echo serving on a port; echo out of memory; sleep 0.4; exit 3", LONG))
                .contains("the server ended with code 3: serving on a port | out of memory");
    }
}
