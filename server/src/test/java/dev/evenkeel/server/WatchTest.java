package dev.evenkeel.server;

import static dev.evenkeel.server.Fixture.MAPS;
import static dev.evenkeel.server.Fixture.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class WatchTest {
    /** Between looks at the metrics: what is waited for needs the processors, too. */
    private static final Duration POLL = Duration.ofMillis(50);

    private final Fixture fixture = Fixture.insecure();

    @AfterEach
    void stop() {
        fixture.close();
    }

    /** An open watch, read line by line. */
    private final class Lines implements AutoCloseable {
        private final InputStream in;
        private final BufferedReader reader;

        Lines(String path, String... headers) {
            this(fixture, path, headers);
        }

        Lines(Fixture fixture, String path, String... headers) {
            var request = fixture.request(path);
            if (headers.length > 0) {
                request.headers(headers);
            }
            try {
                // returns when the response headers arrive, which must not wait for an event
                HttpResponse<InputStream> response = fixture.http.send(request.build(), BodyHandlers.ofInputStream());
                assertThat(response.statusCode()).isEqualTo(200);
                in = response.body();
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
            reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        }

        @Nullable
        JsonObject next() {
            try {
                String line = reader.readLine();
                return line == null ? null : tree(line);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        String show() {
            return WatchTest.show(next());
        }

        @Override
        public void close() {
            try {
                in.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static String show(@Nullable JsonObject event) {
        return event == null
                ? "end"
                : Json.string(event, "type") + " " + Json.string(event, "object", "metadata", "name");
    }

    private String revision() {
        return tree(fixture.get(MAPS)).string("metadata", "resourceVersion");
    }

    @Test
    void anEventIsSentWithTheEndOfItsChunk() throws IOException {
        URI url = fixture.server.url();
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            socket.setSoTimeout(10_000);
            String request = "GET " + MAPS + "?watch=1 HTTP/1.1\r\nHost: " + url.getAuthority() + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            while (!in.readLine().isEmpty()) {
                // headers
            }
            for (String name : List.of("a", "b")) {
                fixture.create(name);

                char[] chunk = new char[Integer.parseInt(in.readLine(), 16)];
                int read = 0;
                while (read < chunk.length) {
                    read += in.read(chunk, read, chunk.length - read);
                }
                // urllib3 waits for the line break before it returns the chunk
                assertThat(in.readLine()).isEmpty();
                assertThat(show(tree(new String(chunk)))).isEqualTo("ADDED " + name);
            }
        }
    }

    @Test
    void eventsArriveInOrderAndTheHeadBeforeThem() {
        String path = MAPS + "?watch=1&resourceVersion=" + revision();
        try (Lines lines = new Lines(path)) {
            fixture.create("a");
            fixture.send("PATCH", MAPS + "/a", "application/merge-patch+json", "{\"data\":{\"k\":\"w\"}}");
            fixture.send("DELETE", MAPS + "/a", "", "");
            assertThat(List.of(lines.show(), lines.show(), lines.show()))
                    .containsExactly("ADDED a", "MODIFIED a", "DELETED a");
        }
    }

    @Test
    void theStreamEndsProperlyAtItsTimeout() {
        fixture.create("a");
        try (Lines lines = new Lines(MAPS + "?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Da")) {
            assertThat(lines.show()).isEqualTo("ADDED a");
            assertThat(lines.show()).isEqualTo("end");
        }
    }

    @Test
    void theInitialStateEndsWithABookmark() {
        fixture.create("a");
        String path = MAPS + "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                + "&allowWatchBookmarks=true&labelSelector=none";
        try (Lines lines = new Lines(path)) {
            JsonObject bookmark = java.util.Objects.requireNonNull(lines.next());
            assertThat(bookmark).containsEntry("type", "BOOKMARK");
            assertThat(bookmark.string("object", "metadata", "annotations", "k8s.io/initial-events-end"))
                    .isEqualTo("true");
        }
    }

    @Test
    void bookmarksAreSentAtTheirInterval() {
        Server.Limits limits = Server.Limits.DEFAULT.bookmarkInterval(Duration.ofMillis(20));
        try (Fixture quick = Fixture.insecure(limits);
                Lines lines = new Lines(
                        quick,
                        MAPS + "?watch=1&timeoutSeconds=60&allowWatchBookmarks=true&resourceVersion=1"
                                + "&labelSelector=none")) {
            for (int i = 0; i < 4; i++) {
                assertThat(Json.string(lines.next(), "type")).isEqualTo("BOOKMARK");
            }
        }
    }

    @Test
    void onlyTheFirstTableHasHeadings() {
        fixture.create("a");
        fixture.create("b");
        try (Lines lines = new Lines(
                MAPS + "?watch=1&timeoutSeconds=1&fieldSelector=metadata.name!%3Dkube-root-ca.crt",
                "Accept",
                "application/json;as=Table;g=meta.k8s.io;v=v1")) {
            JsonObject first = java.util.Objects.requireNonNull(lines.next());
            assertThat(first.array("object", "columnDefinitions")).isNotEmpty();
            JsonObject second = java.util.Objects.requireNonNull(lines.next());
            assertThat(second.at("object", "columnDefinitions")).isNull();
            assertThat(second.string("object", "kind")).isEqualTo("Table");
        }
    }

    @Test
    void theOldFormOfThePathWorks() {
        fixture.create("a");
        String path = "/api/v1/watch/namespaces/default/configmaps/a?timeoutSeconds=1&resourceVersion=1";
        try (Lines lines = new Lines(path)) {
            assertThat(lines.show()).isEqualTo("ADDED a");
        }
    }

    @Test
    void closingTheServerEndsWatchesProperly() {
        try (Fixture other = Fixture.insecure()) {
            CompletableFuture<HttpResponse<String>> watch = other.http.sendAsync(
                    other.request(MAPS + "?watch=1&labelSelector=none").build(), BodyHandlers.ofString());
            String open = "apiserver_longrunning_requests";
            while (!other.get("/metrics").body().contains(open)) {
                LockSupport.parkNanos(POLL.toNanos());
            }
            other.server.close();
            // a chunked body that is cut off would fail this
            assertThat(watch.join().body()).isEmpty();
        }
    }

    @Test
    void aClientThatDoesNotReadIsCutOff() throws Exception {
        Server.Limits limits = Server.Limits.DEFAULT
                .bodyTimeout(Duration.ofSeconds(5))
                .idleTimeout(Duration.ofSeconds(60))
                .writeTimeout(Duration.ofMillis(200))
                .stopTimeout(Duration.ofSeconds(5));
        try (Fixture strict = Fixture.insecure(limits);
                java.net.Socket socket = new java.net.Socket()) {
            socket.setReceiveBufferSize(4096);
            socket.connect(new java.net.InetSocketAddress(
                    "127.0.0.1", strict.server.url().getPort()));
            socket.getOutputStream()
                    .write(("GET " + MAPS + "?watch=1&resourceVersion=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String big = "x".repeat(500_000);
            for (int i = 0; i < 30; i++) {
                strict.post(MAPS, Fixture.configMap("m" + i, big));
            }
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
            String gauge = "apiserver_longrunning_requests{";
            String line = "";
            do {
                LockSupport.parkNanos(POLL.toNanos());
                line = strict.get("/metrics")
                        .body()
                        .lines()
                        .filter(l -> l.startsWith(gauge))
                        .findFirst()
                        .orElse("");
            } while (!line.endsWith(" 0.0") && System.nanoTime() < deadline);
            assertThat(line).endsWith(" 0.0");
        }
    }

    @Test
    void watchesOverWebSocketGetOneFrameForEachEvent() throws Exception {
        BlockingQueue<String> frames = new LinkedBlockingQueue<>();
        CompletableFuture<Integer> closed = new CompletableFuture<>();
        WebSocket.Listener listener = new WebSocket.Listener() {
            private final StringBuilder text = new StringBuilder();

            @Override
            public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
                text.append(data);
                if (last) {
                    frames.add(text.toString());
                    text.setLength(0);
                }
                socket.request(1);
                return null;
            }

            @Override
            public @Nullable CompletionStage<?> onClose(WebSocket socket, int statusCode, String reason) {
                closed.complete(statusCode);
                return null;
            }
        };
        String url = fixture.server.url().toString().replace("http", "ws");
        URI uri = URI.create(url + MAPS + "?watch=1&timeoutSeconds=2&resourceVersion=" + revision());
        WebSocket socket =
                fixture.http.newWebSocketBuilder().buildAsync(uri, listener).join();
        fixture.create("a");
        fixture.post(MAPS, Fixture.configMap("big", "y".repeat(200_000)));
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            shown.add(show(tree(java.util.Objects.requireNonNull(frames.poll(120, TimeUnit.SECONDS)))));
        }
        assertThat(shown).containsExactly("ADDED a", "ADDED big");
        assertThat(closed.get(120, TimeUnit.SECONDS)).isEqualTo(WebSocket.NORMAL_CLOSURE);
        socket.abort();
    }

    @Test
    void aSocketOfAForeignOriginIsRefused() {
        HttpResponse<String> refused = fixture.get(MAPS, "Origin", "http://evil.example");
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(fixture.get(MAPS, "Origin", fixture.server.url().toString()).statusCode())
                .isEqualTo(200);
    }
}
