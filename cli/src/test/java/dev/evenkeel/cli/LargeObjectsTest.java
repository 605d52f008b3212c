package dev.evenkeel.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.store.etcd.LocalEtcd;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Large objects and many large requests, sent to a server with a heap of 384 MB, which ends if that is not enough: it stays,
 * answers none with a code of 500 or above, and its heap is not more than half full after a collection.
 *
 * <p>A build updates an object 20 times, {@code -Dlarge.updates=400}, as {@code -Plong} sets, as often as needed to fill the
 * heap.
 */
@Timeout(600)
class LargeObjectsTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final int UPDATES = Integer.getInteger("large.updates", 20);
    private static final int HEAP = 384;
    private static final int AT_ONCE = 60;
    private static final Pattern VERSION = Pattern.compile("\"resourceVersion\":\"(\\d+)\"");

    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    @Test
    void updatesInMemory() throws Exception {
        assertUpdates();
    }

    @Test
    void updatesInSqlite() throws Exception {
        assertUpdates("--data", directory.resolve("data").toString());
    }

    @Test
    void updatesInEtcd() throws Exception {
        assumeTrue(LocalEtcd.installed(), "etcd is not installed (Debian: etcd-server)");
        try (LocalEtcd etcd = LocalEtcd.start(directory, 1)) {
            assertUpdates("--etcd", String.join(",", etcd.endpoints()));
        }
    }

    /** An object of 1 MB is updated again and again, next to a watch that is read, and one that is not. */
    private void assertUpdates(String... store) throws Exception {
        try (ServerProcess server = ServerProcess.startWithHeap(HEAP, directory, store)) {
            assertThat(code(server, "POST", MAPS, map("updated", 0))).isEqualTo(201);
            try (Socket slow = openWatch(server)) {
                CompletableFuture<String> last = new CompletableFuture<>();
                Thread.ofVirtual().start(() -> follow(server, last));
                for (int i = 1; i <= UPDATES; i++) {
                    assertThat(code(server, "PUT", MAPS + "/updated", map("updated", i)))
                            .as("update " + i)
                            .isEqualTo(200);
                }
                assertThat(last.get(300, TimeUnit.SECONDS)).contains(value(UPDATES));
                assertThat(slow.isClosed()).isFalse();
                assertHeap(server);
            }
        }
    }

    private static Socket openWatch(ServerProcess server) throws IOException {
        Socket socket = new Socket("127.0.0.1", server.connection().server().getPort());
        String head = "GET " + MAPS + "?watch=1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + server.token();
        socket.getOutputStream().write((head + "\r\n\r\n").getBytes(US_ASCII));
        return socket;
    }

    /** Lists and watches until the last update has arrived, as informers do. */
    private void follow(ServerProcess server, CompletableFuture<String> last) {
        try {
            while (!last.isDone()) {
                String list = http.send(request(server, "GET", MAPS, "").build(), BodyHandlers.ofString())
                        .body();
                if (list.contains(value(UPDATES))) {
                    last.complete(list);
                    return;
                }
                Matcher version = VERSION.matcher(list);
                assertThat(version.find()).isTrue();
                HttpRequest watch = request(server, "GET", MAPS + "?watch=1&resourceVersion=" + version.group(1), "")
                        .build();
                try (InputStream events =
                        http.send(watch, BodyHandlers.ofInputStream()).body()) {
                    BufferedReader lines = new BufferedReader(new InputStreamReader(events, UTF_8));
                    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                        if (line.contains(value(UPDATES))) {
                            last.complete(line);
                            return;
                        }
                    }
                }
            }
        } catch (IOException | InterruptedException | AssertionError e) {
            last.completeExceptionally(e);
        }
    }

    private static String value(int number) {
        return "\"value-" + number + "-";
    }

    private static String map(String name, int number) {
        return "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"k\":" + value(number) + "x".repeat(1_000_000)
                + "\"}}";
    }

    @Test
    void manyLargeRequestsAtOnce() throws Exception {
        try (ServerProcess server = ServerProcess.startWithHeap(HEAP, directory)) {
            String large = "{\"data\":{\"a\":\"" + "x".repeat(3_000_000) + "\"}}";
            assertNoFailure(server, "bodies", i -> request(server, "POST", MAPS, large));

            for (int i = 0; i < 15; i++) {
                assertThat(code(server, "POST", MAPS, map("map-" + i, i))).isEqualTo(201);
            }
            assertNoFailure(server, "lists", i -> request(server, "GET", MAPS, ""));

            assertNoFailure(
                    server,
                    "patches",
                    i -> request(server, "PATCH", MAPS + "/map-" + i % 15, map("map-" + i % 15, i))
                            .setHeader("Content-Type", "application/merge-patch+json"));
        }
    }

    /** Sends requests at once; each is answered, refused with 4xx, or its connection is closed while its body is sent. */
    private void assertNoFailure(ServerProcess server, String name, IntFunction<HttpRequest.Builder> requests)
            throws Exception {
        List<CompletableFuture<HttpResponse<Void>>> responses = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            responses.add(http.sendAsync(requests.apply(i).build(), BodyHandlers.discarding()));
        }
        for (CompletableFuture<HttpResponse<Void>> response : responses) {
            int code = response.handle((answer, failure) -> failure == null ? answer.statusCode() : 429)
                    .get(120, TimeUnit.SECONDS);
            assertThat(code).as(name).isBetween(200, 499);
        }
        assertHeap(server);
    }

    private void assertHeap(ServerProcess server) throws IOException, InterruptedException {
        assertThat(code(server, "GET", MAPS + "?limit=1", "")).isEqualTo(200);
        assertThat(server.heap() / (1024 * 1024)).as("MB of heap").isLessThan(HEAP / 2);
        assertThat(server.lines()).noneMatch(line -> line.contains("OutOfMemory"));
    }

    private int code(ServerProcess server, String method, String path, String body)
            throws IOException, InterruptedException {
        return http.send(request(server, method, path, body).build(), BodyHandlers.discarding())
                .statusCode();
    }

    private static HttpRequest.Builder request(ServerProcess server, String method, String path, String body) {
        try {
            return HttpRequest.newBuilder(server.connection().server().resolve(path))
                    .header("Authorization", "Bearer " + server.token())
                    .header("Content-Type", "application/json")
                    .method(method, BodyPublishers.ofString(body));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
