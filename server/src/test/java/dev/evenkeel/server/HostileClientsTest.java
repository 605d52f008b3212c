package dev.evenkeel.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.contract.AttackedServer;
import dev.evenkeel.engine.contract.HostileSoak;
import dev.evenkeel.engine.contract.Sample;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Requests of hostile and careless clients, to a server with a heap of 256 MB, which ends if that is not enough. None is
 * answered with a code of 500 or above; after each a normal client is served within a second, and the heap is not more
 * than half full after a collection.
 *
 * <p>A build sends some requests of each kind, {@code -Dhostile.all=true} sends all.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class HostileClientsTest {
    private static final String CORE = "/api/v1/namespaces/default/";
    private static final String MAPS = CORE + "configmaps";
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String CUSTOM = "/apis/hostile.example/v1/namespaces/default/things";
    private static final String JSON = "application/json";
    private static final String YAML = "application/yaml";
    private static final String JSON_PATCH = "application/json-patch+json";
    private static final String MERGE_PATCH = "application/merge-patch+json";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final String APPLY = "application/apply-patch+yaml";
    private static final String LONG_HEADER = "a long header";
    /** Takes a quarter of the time of AES, for which only the optimizing compiler uses instructions of the processor. */
    private static final String[] CIPHERS = {"TLS_CHACHA20_POLY1305_SHA256"};

    private static final int LARGEST = 3 * 1024 * 1024;

    /** Requests that need the same budget. */
    private record Kind(String name, List<Sent> requests) {}

    private record Sent(String name, String method, String path, String type, byte[] body, List<String> headers) {
        /** Returns the same request of the user of a token. */
        Sent as(String token) {
            List<String> all = new ArrayList<>(headers);
            all.addAll(List.of("Authorization", "Bearer " + token));
            return new Sent(name, method, path, type, body, all);
        }

        Sent with(String... values) {
            return new Sent(name, method, path, type, body, List.of(values));
        }
    }

    private final Sample sample = Sample.of("hostile");
    private final AtomicInteger objects = new AtomicInteger();
    private final SSLContext tls = trusting();
    private final HttpClient http1 = client(HttpClient.Version.HTTP_1_1);
    private final HttpClient http2 = client(HttpClient.Version.HTTP_2);
    private final List<Kind> kinds = kinds();
    private AttackedServer server = AttackedServer.launch(HostileServer.class);

    HostileClientsTest() throws IOException, InterruptedException {}

    @BeforeAll
    void start() throws Exception {
        assertThat(code(http1, post("definition", CRDS, definition()))).isEqualTo(201);
    }

    @AfterAll
    void stop() {
        http1.close();
        http2.close();
        server.close();
        System.out.println("heap after hostile requests, at most: " + server.mostHeap() + " MB");
    }

    /** The first requests of a server are hostile: bodies that are declared and withheld, and then one of each kind. */
    @Test
    void aServerThatHasServedNothingElse() throws Exception {
        for (HttpClient client : sample.of(List.of(http1, http2), 1)) {
            AttackedServer warm = server;
            server = AttackedServer.launch(HostileServer.class);
            List<SSLSocket> slow = new ArrayList<>();
            try {
                for (int i = 0; i < 80; i++) {
                    SSLSocket socket = connect();
                    slow.add(socket);
                    String declared = head("POST", MAPS) + "Content-Length: 100000\r\n\r\n{";
                    socket.getOutputStream().write(declared.getBytes(US_ASCII));
                }
                for (Kind kind : kinds) {
                    for (Sent sent : sample.of(kind.requests, 1)) {
                        if (client == http1 || !sent.name.equals(LONG_HEADER)) {
                            assertThat(code(client, sent)).as(sent.name).isBetween(400, 499);
                        }
                    }
                }
                assertServed("the first requests");
            } finally {
                for (SSLSocket socket : slow) {
                    socket.close();
                }
                server.close();
                server = warm;
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> overHttp1() {
        return kinds.stream()
                .flatMap(kind -> sample.of(kind.requests, 4).stream().map(sent -> refused(http1, sent)));
    }

    @TestFactory
    Stream<DynamicTest> overHttp2() {
        return kinds.stream()
                .flatMap(kind -> sample.of(kind.requests, 4).stream()
                        .filter(sent -> !sent.name.equals(LONG_HEADER)) // ends the connection
                        .map(sent -> refused(http2, sent)));
    }

    private DynamicTest refused(HttpClient client, Sent sent) {
        return DynamicTest.dynamicTest(sent.name, () -> assertRefused(client, sent));
    }

    private void assertRefused(HttpClient client, Sent sent) throws Exception {
        assertThat(code(client, sent)).as(sent.name).isBetween(400, 499);
        assertServed(sent.name);
    }

    @TestFactory
    Stream<DynamicTest> overRawConnections() {
        return sample.of(rawRequests(), 8).stream()
                .map(text -> DynamicTest.dynamicTest(shown(text), () -> {
                    int code = raw(text);
                    assertThat(code == 0 || (code >= 400 && code < 500) || code == 505)
                            .as(shown(text) + ": " + code)
                            .isTrue();
                    assertServed(shown(text));
                }));
    }

    private List<String> rawRequests() {
        String length = head("POST", MAPS) + "Content-Length: ";
        String chunked = head("POST", MAPS) + "Transfer-Encoding: chunked\r\n\r\n";
        String get = head("GET", MAPS);
        List<String> texts = new ArrayList<>(List.of(
                "\0\0\0\0\r\n\r\n",
                "\u0016\u0003\u0001\u0002\u0000\r\n\r\n",
                "GET\r\n\r\n",
                "GET / HTTP/9.9\r\n\r\n",
                "GET " + MAPS + " HTTP/1.1\r\n\r\n",
                "GET " + MAPS + " HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                "GET " + MAPS + " HTTP/1.1\nHost: localhost\n\n",
                "GET  " + MAPS + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "x".repeat(100_000),
                "GET /" + "x".repeat(100_000) + " HTTP/1.1\r\n\r\n",
                "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                head("TRACE", MAPS) + "\r\n",
                head("\u00ff", MAPS) + "\r\n",
                get + "X\r\n\r\n",
                get + "X : y\r\n\r\n",
                get + "X: a\r\n b\r\n\r\n",
                get + "X: a\rb\r\n\r\n",
                get + "X: \0\r\n\r\n",
                get + ": y\r\n\r\n",
                get + "X: " + "x".repeat(100_000) + "\r\n\r\n",
                get + "X: y\r\n".repeat(20_000) + "\r\n",
                length + "-1\r\n\r\n{}",
                length + "x\r\n\r\n{}",
                length + "+2\r\n\r\n{}",
                length + "99999999999999999999\r\n\r\n{}",
                length + "2\r\nContent-Length: 3\r\n\r\n{}",
                length + "2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                length + "4000000\r\n\r\n{",
                chunked + "zz\r\n{}\r\n0\r\n\r\n",
                chunked + "-1\r\n{}\r\n0\r\n\r\n",
                chunked + "ffffffffffffffff\r\n{}\r\n0\r\n\r\n",
                chunked + "2\r\n{}XX0\r\n\r\n",
                chunked + "2\n{}\n0\n\n",
                chunked + "2;" + "x".repeat(100_000) + "\r\n{}\r\n0\r\n\r\n",
                chunked + ("1\r\n \r\n").repeat(20_000) + "0\r\n\r\n",
                chunked + ("8000\r\n" + " ".repeat(0x8000) + "\r\n").repeat(100) + "0\r\n\r\n",
                chunked + "2\r\n{}\r\n0\r\n" + "X: y\r\n".repeat(20_000) + "\r\n",
                head("POST", MAPS) + "Transfer-Encoding: gzip\r\n\r\n{}",
                head("POST", MAPS) + "Transfer-Encoding: chunked, identity\r\n\r\n{}"));
        for (String upgrade : List.of(
                "",
                "Sec-WebSocket-Version: 99\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n",
                "Sec-WebSocket-Version: 13\r\n",
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n")) {
            texts.add(head("GET", MAPS + "?limit=x") + "Connection: Upgrade\r\nUpgrade: websocket\r\n" + upgrade
                    + "\r\n");
        }
        return texts;
    }

    /** Frames of a client that watches by WebSocket: the connection ends, or they are ignored. */
    @TestFactory
    Stream<DynamicTest> overWebSockets() {
        return sample.of(frames(), 4).stream()
                .map(frames -> DynamicTest.dynamicTest(shown(frames), () -> {
                    assertThat(raw(upgrade() + frames)).isIn(0, 101);
                    assertServed(shown(frames));
                }));
    }

    private String upgrade() {
        return head("GET", MAPS + "?watch=1&timeoutSeconds=1")
                + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
    }

    private static List<String> frames() {
        String masked = "\u0080\0\0\0\0";
        return List.of(
                "\u0081\u0005hello",
                "\u0081\u00ff\u007f\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\0\0\0\0",
                "\u0081\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\0\0\0\0",
                "\u00c1" + masked,
                "\u0083" + masked,
                "\u008f" + masked,
                "\u0009" + masked,
                "\u0089\u00fe\u0001\0\0\0\0\0" + "x".repeat(256),
                "\u0081\u0082\0\0\0\0\u00c0\u00ae",
                "\u0088\u0082\0\0\0\0\u0000\u0001",
                "\u0080" + masked,
                ("\u0001" + masked) + ("\u0000" + masked).repeat(10_000),
                ("\u0089" + masked).repeat(10_000),
                "\u0082\u00ff\0\0\0\0\0\u0030\0\0\0\0\0\0" + "x".repeat(LARGEST));
    }

    @Test
    void manyOfTheLargestBodiesAtOnce() throws Exception {
        byte[] body = ("{\"data\":{\"a\":[" + "{},".repeat(900_000) + "{}]}}").getBytes(UTF_8);
        for (HttpClient client : sample.of(List.of(http1, http2), 1)) {
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                answers.add(client.sendAsync(request(post("large", MAPS, body)), BodyHandlers.ofString()));
            }
            for (CompletableFuture<HttpResponse<String>> answer : answers) {
                int code = answer.handle((reply, failure) -> failure == null ? reply.statusCode() : 429)
                        .get();
                assertThat(code).isIn(400, 408, 422, 429);
            }
            assertServed("large bodies");
        }
    }

    @Test
    void aLargeObjectThatIsUpdatedAgainAndAgain() throws Exception {
        String text = "x".repeat(1_000_000);
        for (int i = 0; i < (sample.all() ? 355 : 30); i++) {
            byte[] map =
                    ("{\"metadata\":{\"name\":\"updated\"},\"data\":{\"n\":\"" + i + text + "\"}}").getBytes(UTF_8);
            String path = i == 0 ? MAPS : MAPS + "/updated";
            assertThat(code(http1, new Sent("update", i == 0 ? "POST" : "PUT", path, JSON, map, List.of())))
                    .isIn(200, 201);
        }
        assertServed("updates");
    }

    @Test
    void streamsThatDeclareLargeBodies() throws Exception {
        HttpClient client = client(HttpClient.Version.HTTP_2);
        HttpRequest withheld = builder(MAPS)
                .header("Content-Type", JSON)
                .POST(BodyPublishers.fromPublisher(
                        subscriber -> subscriber.onSubscribe(new java.util.concurrent.Flow.Subscription() {
                            @Override
                            public void request(long items) {}

                            @Override
                            public void cancel() {}
                        }),
                        LARGEST))
                .build();
        for (int i = 0; i < (sample.all() ? 300 : 100); i++) {
            client.sendAsync(withheld, BodyHandlers.discarding());
        }
        assertServed("declared bodies");
        client.shutdownNow();
        assertServed("closed streams");
    }

    @Test
    void manyWatchesThatAreNotRead() throws Exception {
        List<SSLSocket> sockets = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            SSLSocket socket = connect();
            sockets.add(socket);
            socket.getOutputStream().write((head("GET", MAPS + "?watch=1") + "\r\n").getBytes(US_ASCII));
        }
        for (int i = 0; i < (sample.all() ? 20 : 10); i++) {
            code(http1, post("event", MAPS, map("watched-" + i, "x".repeat(100_000))));
        }
        assertServed("watches");
        for (SSLSocket socket : sockets) {
            socket.close();
        }
    }

    /** All kinds of requests at once for a time, from another user, next to a normal client. */
    @Test
    @EnabledIfSystemProperty(named = HostileSoak.LENGTH, matches = "\\d+[smh]")
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void everythingAtOnceNextToANormalClient() throws Exception {
        List<Sent> requests =
                kinds.stream().flatMap(kind -> kind.requests.stream()).toList();
        List<String> raw = Stream.concat(
                        rawRequests().stream(), frames().stream().map(text -> upgrade() + text))
                .map(text -> text.replace(server.token(), HostileServer.HOSTILE))
                .toList();
        List<HostileSoak.HostileClient> hostile = Stream.of(http1, http2)
                .<HostileSoak.HostileClient>map(client -> random -> problem(
                        random.nextInt(4) == 0
                                ? raw(raw.get(random.nextInt(raw.size())))
                                : code(
                                        client,
                                        requests.get(random.nextInt(requests.size()))
                                                .as(HostileServer.HOSTILE))))
                .toList();
        try (HttpClient own = client(HttpClient.Version.HTTP_1_1)) {
            HostileSoak.run(server, hostile, new HostileSoak.NormalClient() {
                @Override
                public void create(String name) throws Exception {
                    assertThat(code(own, post(name, MAPS, map(name, "v")))).isEqualTo(201);
                }

                @Override
                public void get(String name) throws Exception {
                    assertThat(code(own, send("GET", name))).isEqualTo(200);
                }

                @Override
                public void delete(String name) throws Exception {
                    assertThat(code(own, send("DELETE", name))).isEqualTo(200);
                }
            });
        }
    }

    private static Optional<String> problem(int code) {
        return code >= 500 && code != 505 ? Optional.of("answered with " + code) : Optional.empty();
    }

    private static Sent send(String method, String name) {
        return new Sent(name, method, MAPS + "/" + name, "", new byte[0], List.of());
    }

    private static List<Kind> kinds() {
        return List.of(
                kind("bodies", HostileClientsTest::bodies),
                kind("names and metadata", HostileClientsTest::metadata),
                kind("YAML", HostileClientsTest::yaml),
                kind("patches", HostileClientsTest::patches),
                kind("patterns and rules", HostileClientsTest::definitions),
                kind("paths, parameters and headers", HostileClientsTest::targets));
    }

    private static Kind kind(String name, Consumer<Consumer<Sent>> cases) {
        List<Sent> requests = new ArrayList<>();
        cases.accept(requests::add);
        return new Kind(name, List.copyOf(requests));
    }

    private static void bodies(Consumer<Sent> add) {
        for (String text :
                List.of("", "null", "[]", "\"x\"", "1", "{", "{}}", "{\"a\"", "\ufeff{}", "{}{}", "nul", "NaN")) {
            add.accept(post("body " + text, MAPS, text));
        }
        add.accept(post("deep arrays", MAPS, "[".repeat(1_000_000)));
        add.accept(post("deep objects", MAPS, "{\"a\":".repeat(500_000)));
        add.accept(post("deep value", MAPS, "{\"data\":" + "[".repeat(600) + "]".repeat(600) + "}"));
        add.accept(post("many empty objects", MAPS, "{\"data\":[" + "{},".repeat(1_000_000) + "{}]}"));
        add.accept(post("many empty keys", MAPS, "{" + "\"\":1,".repeat(400_000) + "\"\":1}"));
        add.accept(post("a body that is too large", MAPS, " ".repeat(LARGEST + 1)));
        add.accept(post("only spaces", MAPS, " ".repeat(LARGEST)));
        add.accept(post("a long number", MAPS, "{\"metadata\":{\"generation\":" + "9".repeat(1_000_000) + "}}"));
        add.accept(post("a large exponent", MAPS, "{\"metadata\":{\"name\":\"n\",\"generation\":1e999999999}}"));
        add.accept(post(
                "a long key",
                MAPS,
                "{\"metadata\":{\"name\":\"n\",\"labels\":{\"" + "k".repeat(1_000_000) + "\":\"\"}}}"));
        add.accept(post("not UTF-8", MAPS, "{\"metadata\":{\"name\":\"\u00ff\"}}".getBytes(ISO_8859_1)));
        add.accept(post(
                "overlong UTF-8",
                MAPS,
                "{\"metadata\":{\"name\":\"n\"},\"data\":{\"a\":\"\u00c0\u00ae\"}}".getBytes(ISO_8859_1)));
        add.accept(post("a large object", MAPS, map("n", "x".repeat(1_700_000))));
        add.accept(new Sent(
                "protobuf",
                "POST",
                MAPS,
                "application/vnd.kubernetes.protobuf",
                "k8s\0\u007f\u007f".getBytes(ISO_8859_1),
                List.of()));
        add.accept(new Sent("an unknown type", "POST", MAPS, "application/x", new byte[10], List.of()));
        add.accept(post("a compressed body", MAPS, "xx").with("Content-Encoding", "gzip"));
    }

    private static void metadata(Consumer<Sent> add) {
        for (String name :
                List.of("../secrets", "a/b", "A", "\\u0000", "\\u001b[31m\\n", "%2e", "x".repeat(300), "", ".")) {
            add.accept(post("name " + shown(name), MAPS, "{\"metadata\":{\"name\":\"" + name + "\"}}"));
        }
        String head = "{\"metadata\":{\"name\":\"n\",";
        add.accept(post("annotations", MAPS, head + "\"annotations\":{\"a\":\"" + "x".repeat(300_000) + "\"}}}"));
        add.accept(post("labels", MAPS, head + "\"labels\":{" + "\"a b\":\"c d\",".repeat(50_000) + "\"e f\":\"\"}}}"));
        StringBuilder keys = new StringBuilder();
        for (int i = 0; i < 100_000; i++) {
            keys.append("\"a b").append(i).append("\":\"c d\",");
        }
        add.accept(post("100,000 wrong labels", MAPS, head + "\"labels\":{" + keys + "\"e f\":\"\"}}}"));
        add.accept(post("owners", MAPS, head + "\"ownerReferences\":[" + "{},".repeat(50_000) + "{}]}}"));
        add.accept(post("finalizers", MAPS, head + "\"finalizers\":[" + "\"x\",".repeat(50_000) + "\"x\"]}}"));
        add.accept(post(
                "another kind", MAPS, "{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n\"}}"));
        add.accept(post("another namespace", MAPS, head + "\"namespace\":\"kube-system\"}}"));
        add.accept(post("a value of another type", MAPS, "{\"metadata\":{\"name\":\"n\"},\"data\":{\"a\":{}}}"));
    }

    private static void yaml(Consumer<Sent> add) {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
        for (int i = 1; i < 10; i++) {
            bomb.append("a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ",").repeat(10)));
        }
        add.accept(yaml("aliases that multiply", bomb.toString()));
        add.accept(yaml("aliases of a scalar", "a: &a " + "x".repeat(100_000) + "\nb: [" + "*a,".repeat(20_000) + "]"));
        add.accept(yaml("merges", "a: &a {b: c}\nd: {" + "<<: *a, ".repeat(10_000) + "}"));
        add.accept(yaml("an anchor in itself", "a: &a [*a]"));
        add.accept(yaml("deep flow", "[".repeat(100_000)));
        add.accept(yaml("deep blocks", "- ".repeat(100_000)));
        add.accept(yaml("anchors", "&a ".repeat(50_000)));
        add.accept(yaml("a tag of Java", "!!javax.script.ScriptEngineManager [!!java.net.URL [\"http://x\"]]"));
        add.accept(yaml("colons", ":".repeat(1_000_000)));
        add.accept(yaml("quotes", "\"" + "\\".repeat(1_000_000)));
        add.accept(yaml("tabs", "\t".repeat(1_000_000)));
    }

    private static void patches(Consumer<Sent> add) {
        String path = MAPS + "/hostile";
        StringBuilder copies = new StringBuilder(
                "[{\"op\":\"add\",\"path\":\"/data\",\"value\":{\"a\":\"" + "x".repeat(1000) + "\"}}");
        for (int i = 0; i < 40; i++) {
            copies.append(",{\"op\":\"copy\",\"from\":\"/data\",\"path\":\"/data/c%d\"}".formatted(i));
        }
        String test = "{\"op\":\"test\",\"path\":\"/kind\",\"value\":\"ConfigMap\"}";
        for (String text : List.of(
                "{}",
                "null",
                "[1]",
                "[{\"op\":\"x\"}]",
                "[" + (test + ",").repeat(20_000) + test + "]",
                copies + "]",
                "[{\"op\":\"add\",\"path\":\"" + "/a".repeat(500_000) + "\",\"value\":1}]",
                "[{\"op\":\"remove\",\"path\":\"/metadata/finalizers/99999999999999999999\"}]",
                "[{\"op\":\"move\",\"from\":\"/metadata\",\"path\":\"/metadata/a\"}]",
                "[{\"op\":\"replace\",\"path\":\"\",\"value\":[]}]")) {
            add.accept(patch(path, JSON_PATCH, text));
        }
        for (String type : List.of(MERGE_PATCH, STRATEGIC, APPLY)) {
            add.accept(patch(path + "?fieldManager=m", type, "{\"a\":".repeat(100_000)));
            add.accept(patch(path + "?fieldManager=m", type, "[]"));
            add.accept(patch(path + "?fieldManager=m", type, "{\"metadata\":{\"name\":\"other\"}}"));
        }
        add.accept(patch(path, APPLY, "{}"));
        add.accept(patch(path + "?fieldManager=" + "m".repeat(1000), APPLY, "{}"));
        add.accept(patch(path, "text/x", "{}"));
        add.accept(patch(CUSTOM + "/x", STRATEGIC, "{}"));
    }

    private static void definitions(Consumer<Sent> add) {
        for (String pattern : List.of(
                "((((a{30}){30}){30}){30}){30}",
                "(a{1,1000}){1,1000}",
                "(".repeat(10_000) + ")".repeat(10_000),
                "a{1000}".repeat(1000),
                "\\\\pL".repeat(10_000),
                "(?:a|".repeat(5_000),
                "[")) {
            String schema = "{\"type\":\"string\",\"pattern\":\"" + pattern + "\"}";
            add.accept(post("pattern " + shown(pattern), CRDS, definition("patterns", schema, "")));
            String rule = "self.matches('" + pattern.replace("\\", "\\\\") + "')";
            add.accept(post("rule " + shown(rule), CRDS, definition("rules", rule(rule), "")));
        }
        for (String rule : List.of(
                "self.all(a, self.all(b, a != b))",
                "(".repeat(1000) + "true" + ")".repeat(1000),
                "true" + " && true".repeat(100_000),
                "unknown(self)",
                "self +",
                "'" + "x".repeat(1_000_000))) {
            add.accept(post("rule " + shown(rule), CRDS, definition("rules", rule(rule), "")));
        }
        add.accept(post("a reference", CRDS, definition("refs", "{\"$ref\":\"#/definitions/x\"}", "")));
        add.accept(post("a deep schema", CRDS, definition("deep", "{\"type\":\"array\",\"items\":".repeat(600), "")));
        add.accept(post(
                "items with large defaults",
                CUSTOM,
                "{\"apiVersion\":\"hostile.example/v1\",\"kind\":\"Thing\",\"metadata\":{\"name\":\"n\"},\"spec\":{\"items\":["
                        + "{},".repeat(20_000) + "{}]}}"));
    }

    private static void targets(Consumer<Sent> add) {
        for (String path : List.of(
                "/api/v1/../../etc/passwd",
                MAPS + "/%00",
                MAPS + "/%c0%ae",
                MAPS + "/..%2f..%2fsecrets",
                MAPS + "/a/b/c/d",
                "/partitions/invented/api/v1/namespaces",
                "/invented",
                "/api/v1/invented",
                MAPS + "?x=" + "x".repeat(20_000),
                MAPS + "?limit=x",
                MAPS + "?limit=1&continue=x",
                MAPS + "?labelSelector=" + "(".repeat(5_000),
                MAPS + "?labelSelector=" + "a%20in%20(b".repeat(500),
                MAPS + "?fieldSelector=data.a%3Db",
                MAPS + "?resourceVersion=x",
                MAPS + "?resourceVersionMatch=Exact",
                MAPS + "?timeout=x",
                MAPS + "?sendInitialEvents=true&watch=1",
                MAPS + "/none?timeout=-1")) {
            add.accept(new Sent("GET " + shown(path), "GET", path, "", new byte[0], List.of()));
        }
        for (String query : List.of("dryRun=x", "fieldManager=%00", "fieldValidation=x")) {
            add.accept(post(query, MAPS + "?" + query, map("n", "")));
        }
        for (String query :
                List.of("dryRun=x", "propagationPolicy=x", "gracePeriodSeconds=x", "gracePeriodSeconds=-1e9")) {
            add.accept(new Sent("DELETE " + query, "DELETE", MAPS + "/none?" + query, "", new byte[0], List.of()));
        }
        for (String method : List.of("FOO", "PROPFIND")) {
            add.accept(new Sent(method + " /apis", method, "/apis", JSON, new byte[0], List.of()));
        }
        Sent get = new Sent("headers", "GET", MAPS, "", new byte[0], List.of());
        add.accept(get.with("Impersonate-Group", "system:masters"));
        add.accept(get.with("Accept", "x/y"));
        add.accept(get.with("Origin", "https://evil.example"));
        add.accept(new Sent(LONG_HEADER, "GET", MAPS, "", new byte[0], List.of("X", "x".repeat(100_000))));
    }

    private static String rule(String rule) {
        return "{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"x-kubernetes-validations\":[{\"rule\":\""
                + rule.replace("\\", "\\\\") + "\"}]}";
    }

    /** A definition by which few bytes become many: of defaults, and in columns. */
    private static String definition() {
        String item = "{\"type\":\"object\",\"properties\":{\"p\":{\"type\":\"string\",\"default\":\""
                + "x".repeat(100_000) + "\"}}}";
        return definition(
                "things",
                "{\"type\":\"object\",\"x-kubernetes-preserve-unknown-fields\":true,\"properties\":{\"items\":{\"type\":\"array\",\"items\":"
                        + item + "}}}",
                "\"additionalPrinterColumns\":[{\"name\":\"a\",\"type\":\"string\",\"jsonPath\":\".spec..a..a..a..a\"}],");
    }

    private static String definition(String plural, String spec, String more) {
        String kind = plural.equals("things") ? "Thing" : "Other" + plural;
        return "{\"metadata\":{\"name\":\"" + plural
                + ".hostile.example\"},\"spec\":{\"group\":\"hostile.example\",\"scope\":\"Namespaced\","
                + "\"names\":{\"plural\":\"" + plural + "\",\"kind\":\"" + kind
                + "\"},\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true," + more
                + "\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\",\"properties\":{\"spec\":" + spec + "}}}}]}}";
    }

    @Test
    void tablesOfDeepObjects() throws Exception {
        String deep = "{\"a\":".repeat(400) + "1" + "}".repeat(400);
        byte[] thing =
                ("{\"apiVersion\":\"hostile.example/v1\",\"kind\":\"Thing\",\"metadata\":{\"name\":\"deep\"},\"spec\":"
                                + deep + "}")
                        .getBytes(UTF_8);
        assertThat(code(http1, post("deep", CUSTOM, thing))).isEqualTo(201);
        Sent table = new Sent(
                "table",
                "GET",
                CUSTOM,
                "",
                new byte[0],
                List.of("Accept", "application/json;as=Table;g=meta.k8s.io;v=v1"));
        assertThat(code(http2, table)).isEqualTo(200);
        assertServed("table");
    }

    private static Sent post(String name, String path, String body) {
        return post(name, path, body.getBytes(UTF_8));
    }

    private static Sent post(String name, String path, byte[] body) {
        return new Sent(name, "POST", path, JSON, body, List.of());
    }

    private static Sent yaml(String name, String body) {
        return new Sent("YAML: " + name, "POST", MAPS, YAML, body.getBytes(UTF_8), List.of());
    }

    private static Sent patch(String path, String type, String body) {
        return new Sent(type + " " + shown(body), "PATCH", path, type, body.getBytes(UTF_8), List.of());
    }

    private static String map(String name, String value) {
        return "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"k\":\"" + value + "\"}}";
    }

    private static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        text.chars().limit(50).forEach(c -> shown.append(c > ' ' && c < 127 ? (char) c : '.'));
        return shown + " (" + text.length() + ")";
    }

    private void assertServed(String after) throws InterruptedException {
        server.assertServed(after, () -> {
            String name = "normal-" + objects.incrementAndGet();
            assertThat(code(http1, post(name, MAPS, map(name, "v"))))
                    .as("create after " + after)
                    .isEqualTo(201);
            assertThat(code(http1, send("GET", name))).isEqualTo(200);
        });
    }

    private int code(HttpClient client, Sent sent) throws IOException, InterruptedException {
        return client.send(request(sent), BodyHandlers.discarding()).statusCode();
    }

    private HttpRequest request(Sent sent) {
        HttpRequest.Builder request = builder(sent.path).method(sent.method, BodyPublishers.ofByteArray(sent.body));
        if (!sent.type.isEmpty()) {
            request.header("Content-Type", sent.type);
        }
        for (int i = 0; i < sent.headers.size(); i += 2) {
            request.setHeader(sent.headers.get(i), sent.headers.get(i + 1));
        }
        return request.build();
    }

    private HttpRequest.Builder builder(String path) {
        return HttpRequest.newBuilder(URI.create(server.address() + path))
                .timeout(Duration.ofSeconds(20))
                .header("Authorization", "Bearer " + server.token());
    }

    private String head(String method, String path) {
        return method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + server.token()
                + "\r\nContent-Type: " + JSON + "\r\n";
    }

    private SSLSocket connect() throws IOException {
        SSLSocket socket = (SSLSocket) tls.getSocketFactory()
                .createSocket("127.0.0.1", URI.create(server.address()).getPort());
        socket.setSoTimeout(10_000);
        socket.setEnabledCipherSuites(CIPHERS);
        socket.startHandshake();
        return socket;
    }

    /** Sends a text and returns the code of the answer; 0 if the server closed the connection, or waits for more. */
    private int raw(String text) throws IOException {
        try (SSLSocket socket = connect()) {
            socket.setSoTimeout(500);
            try {
                socket.getOutputStream().write(text.getBytes(ISO_8859_1));
            } catch (IOException e) {
                // it was closed before all was sent; the answer may be there
            }
            byte[] line = socket.getInputStream().readNBytes(12);
            return line.length < 12 ? 0 : Integer.parseInt(new String(line, 9, 3, US_ASCII));
        } catch (SocketTimeoutException e) {
            return 0;
        } catch (IOException e) {
            return 0;
        }
    }

    private HttpClient client(HttpClient.Version version) {
        return HttpClient.newBuilder()
                .version(version)
                .sslContext(tls)
                .sslParameters(new SSLParameters(CIPHERS))
                .build();
    }

    private static SSLContext trusting() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    null,
                    new TrustManager[] {
                        new X509TrustManager() {
                            @Override
                            public void checkClientTrusted(X509Certificate[] chain, String type) {}

                            @Override
                            public void checkServerTrusted(X509Certificate[] chain, String type) {}

                            @Override
                            public X509Certificate[] getAcceptedIssuers() {
                                return new X509Certificate[0];
                            }
                        }
                    },
                    null);
            return context;
        } catch (java.security.GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
