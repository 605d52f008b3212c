package dev.evenkeel.load.internal.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.ConnectionException;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.RetryPolicy;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import dev.evenkeel.load.internal.proxy.Requests.Labels;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class ApiProxyTest {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    private static final String PATH = "/api/v1/namespaces/default/configmaps";

    private final Engine engine = Engine.create();
    private final Server server = Server.builder(engine).start();
    private final ApiProxy proxy = ApiProxy.start(Connection.to(server.url())
            .ca(server.caCertificate())
            .token(server.token())
            .build());
    private final KubernetesClient client = client("first");

    @AfterEach
    void close() {
        client.close();
        proxy.close();
        server.close();
        engine.close();
    }

    private KubernetesClient client(String agent) {
        return KubernetesClient.builder(proxy.connection())
                .userAgent(agent)
                .retry(RetryPolicy.NONE)
                .build();
    }

    private static ConfigMap map(String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .addToData("value", value)
                .build();
    }

    private static ObjectKey key(String name) {
        return ObjectKey.of("default", name);
    }

    /** A watch of changes only: no objects that exist, and no bookmark after them. */
    private ListOptions fromNow() {
        ListOptions all = ListOptions.in("default");
        return all.resourceVersion(client.list(MAPS, all).resourceVersion());
    }

    private HttpRequest.Builder request(String target) {
        return HttpRequest.newBuilder(proxy.url().resolve(target)).header("Authorization", "Bearer " + proxy.token());
    }

    private HttpClient http(HttpClient.Version version) {
        return HttpClient.newBuilder()
                .sslContext(proxy.connection().tls().orElseThrow())
                .version(version)
                .build();
    }

    @Test
    void countsAKnownSequenceOfRequests() {
        Requests before = proxy.requests();

        ConfigMap created = client.create(map("a", "1"));
        assertThat(client.find(MAPS, key("a"))).isPresent();
        assertThat(client.find(MAPS, key("missing"))).isEmpty();
        client.list(MAPS, ListOptions.ALL);
        client.list(MAPS, ListOptions.in("default"));
        client.update(new ConfigMapBuilder(created).addToData("value", "2").build());
        assertThatThrownBy(() -> client.update(
                        new ConfigMapBuilder(created).addToData("value", "3").build()))
                .isInstanceOf(ConflictException.class);
        client.apply(map("b", "1"), WriteOptions.DEFAULT.fieldManager("test"));
        client.delete(MAPS, key("b"), DeleteOptions.DEFAULT);
        client.deleteAll(MAPS, ListOptions.in("default"), DeleteOptions.DEFAULT);
        try (KubernetesClient other = client("second")) {
            other.list(MAPS, ListOptions.ALL);
        }

        Requests made = proxy.requests().minus(before);
        assertThat(made.byVerbAndResource())
                .isEqualTo(Map.of(
                        "create configmaps", 1L,
                        "get configmaps", 2L,
                        "list configmaps", 3L,
                        "update configmaps", 2L,
                        "apply configmaps", 1L,
                        "delete configmaps", 1L,
                        "deletecollection configmaps", 1L));
        assertThat(made.by(Labels::status)).isEqualTo(Map.of(200, 7L, 201, 2L, 404, 1L, 409, 1L));
        assertThat(made.by(Labels::agent)).isEqualTo(Map.of("first", 10L, "second", 1L));
        assertThat(made.by(Labels::namespace)).isEqualTo(Map.of("", 2L, "default", 9L));
        assertThat(made.writes()).isEqualTo(6);
        assertThat(made.openWatches()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP_1_1", "HTTP_2"})
    void countsTheBytesOfBodiesAsTheyPass(HttpClient.Version version) throws Exception {
        for (int i = 0; i < 3; i++) {
            client.create(map("m" + i, "x".repeat(100_000)));
        }
        String body = "{\"metadata\":{\"name\":\"up\"},\"data\":{\"value\":\"" + "y".repeat(500_000) + "\"}}";
        Requests before = proxy.requests();

        try (HttpClient http = http(version)) {
            HttpResponse<byte[]> plain = http.send(request(PATH).build(), BodyHandlers.ofByteArray());
            HttpResponse<byte[]> compressed =
                    http.send(request(PATH).header("Accept-Encoding", "gzip").build(), BodyHandlers.ofByteArray());
            Requests lists = proxy.requests().minus(before);

            assertThat(plain.version()).isEqualTo(version);
            assertThat(plain.body().length).isGreaterThan(300_000);
            assertThat(compressed.headers().firstValue("Content-Encoding")).hasValue("gzip");
            assertThat(compressed.body().length).isLessThan(100_000);
            assertThat(lists.count("list", "configmaps")).isEqualTo(2);
            assertThat(lists.total().sent()).isEqualTo(plain.body().length + compressed.body().length);

            http.send(
                    request(PATH)
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    BodyHandlers.ofByteArray());
            assertThat(proxy.requests()
                            .minus(before)
                            .filter(Labels::isWrite)
                            .total()
                            .received())
                    .isEqualTo(body.length());
        }
    }

    @Test
    void headRequestsAndEmptyAnswersPass() throws Exception {
        client.create(map("a", "1"));
        try (HttpClient http = http(HttpClient.Version.HTTP_1_1)) {
            HttpRequest head = request(PATH + "/a")
                    .method("HEAD", HttpRequest.BodyPublishers.noBody())
                    .build();
            assertThat(http.send(head, BodyHandlers.ofByteArray()).body()).isEmpty();
            String tag = http.send(request("/openapi/v2").build(), BodyHandlers.ofByteArray())
                    .headers()
                    .firstValue("ETag")
                    .orElseThrow();
            HttpRequest again =
                    request("/openapi/v2").header("If-None-Match", tag).build();
            assertThat(http.send(again, BodyHandlers.ofByteArray()).statusCode())
                    .isEqualTo(304);
        }
    }

    @Test
    void refusesAWrongTokenAndSendsNothingOn() throws Exception {
        client.create(map("a", "1"));
        try (HttpClient http = http(HttpClient.Version.HTTP_2)) {
            for (String token : List.of("", "Bearer ", "Bearer wrong", "Bearer " + server.token())) {
                HttpRequest.Builder request = HttpRequest.newBuilder(proxy.url().resolve(PATH + "/a"))
                        .header("Impersonate-User", "admin")
                        .DELETE();
                if (!token.isEmpty()) {
                    request.header("Authorization", token);
                }
                HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());

                assertThat(answer.statusCode()).isEqualTo(401);
                assertThat(answer.body()).contains("\"reason\":\"Unauthorized\"");
            }
        }
        assertThat(client.find(MAPS, key("a"))).isPresent();
        assertThat(proxy.requests().filter(labels -> labels.status() == 401).count())
                .isEqualTo(4);
    }

    @Test
    void passesImpersonationOn() throws Exception {
        try (HttpClient http = http(HttpClient.Version.HTTP_2)) {
            HttpRequest request = request("/apis/authentication.k8s.io/v1/selfsubjectreviews")
                    .header("Impersonate-User", "jane")
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(
                            "{\"kind\":\"SelfSubjectReview\",\"apiVersion\":\"authentication.k8s.io/v1\"}"))
                    .build();

            assertThat(http.send(request, BodyHandlers.ofString()).body()).contains("jane");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eventsOfWatchesArriveAtOnceAndAreCounted(boolean http2) throws Exception {
        try (KubernetesClient watcher = KubernetesClient.builder(proxy.connection())
                        .http2(http2)
                        .build();
                Watch<ConfigMap> watch = watcher.watch(MAPS, fromNow())) {
            Await.until("a watch is open", () -> proxy.requests().openWatches() == 1);
            for (int i = 0; i < 5; i++) {
                client.create(map("m" + i, "1"));
                assertThat(watch.next().orElseThrow().object().getMetadata().getName())
                        .isEqualTo("m" + i);
            }

            Requests watches = proxy.requests().filter(labels -> labels.verb().equals("watch"));
            assertThat(watches.count()).isEqualTo(1);
            assertThat(watches.total().events()).isEqualTo(5);
        }
    }

    /** Else the API server keeps watches for clients that have gone, and the count of open ones is wrong. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClientThatDisconnectsEndsItsWatchUpstream(boolean http2) {
        try (KubernetesClient watcher =
                KubernetesClient.builder(proxy.connection()).http2(http2).build()) {
            var unused = watcher.watch(MAPS, ListOptions.in("default"));
            Await.until("the server has a watch", () -> watchesOfServer() == 1);
        }

        Await.until("the proxy has no watch", () -> proxy.requests().openWatches() == 0);
        // the server sees the end with the next event
        client.create(map("a" + http2, "1"));
        Await.until("the server has no watch", () -> watchesOfServer() == 0);
    }

    private double watchesOfServer() {
        return server.metrics().getMeters().stream()
                .filter(meter -> meter.getId().getName().contains("longrunning")
                        || meter.getId().getName().contains("watchers"))
                .mapToDouble(meter -> meter.measure().iterator().next().getValue())
                .sum();
    }

    @Test
    void aWatchThatWasCutIsResumed() throws Exception {
        LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();
        try (Manager manager = Manager.of(client)) {
            var unused = manager.informer(MAPS)
                    .handle("test", change -> seen.add(change.object().key().name()));
            manager.start();
            for (int i = 0; i < 2; i++) {
                client.create(map("m" + i, "1"));
                assertThat(seen.poll(120, TimeUnit.SECONDS)).isEqualTo("m" + i);
                Await.until("the watch is open", () -> proxy.requests().openWatches() == 1);
                assertThat(proxy.cutWatches()).isEqualTo(1);
            }
            Await.until("the watch is open again", () -> proxy.requests().openWatches() == 1);
            assertThat(proxy.requests().count("watch", "configmaps")).isEqualTo(3);
        }
    }

    @Test
    void aCutEndsAWatchAbruptly() {
        for (boolean http2 : new boolean[] {false, true}) {
            try (KubernetesClient watcher = KubernetesClient.builder(proxy.connection())
                            .http2(http2)
                            .build();
                    Watch<ConfigMap> watch = watcher.watch(MAPS, fromNow())) {
                Await.until("a watch is open", () -> proxy.requests().openWatches() == 1);

                proxy.cutWatches();

                assertThat(proxy.requests().openWatches()).isZero();
                assertThatThrownBy(watch::next).isInstanceOf(ConnectionException.class);
                client.create(map("a" + http2, "1"));
                Await.until("the server has no watch", () -> watchesOfServer() == 0);
            }
        }
    }

    @Test
    void aThousandWatchesReceiveAnEventEach() throws Exception {
        List<Watch<ConfigMap>> watches = new ArrayList<>();
        ListOptions fromNow = fromNow();
        for (int i = 0; i < 1000; i++) {
            watches.add(client.watch(MAPS, fromNow));
        }
        Await.until("all are open", () -> proxy.requests().openWatches() == 1000);

        client.create(map("a", "1"));

        for (Watch<ConfigMap> watch : watches) {
            assertThat(watch.next()).isPresent();
        }
        // On a busy machine, this takes so long that bookmarks are sent, too.
        assertThat(proxy.requests().total().events()).isGreaterThanOrEqualTo(1000);
        watches.forEach(Watch::close);
        Await.until("all are closed", () -> proxy.requests().openWatches() == 0);
    }

    @Test
    void anOutageRefusesConnectionsUntilItEnds() {
        client.create(map("a", "1"));
        Watch<ConfigMap> watch = client.watch(MAPS, fromNow());
        for (int i = 0; i < 3; i++) {
            proxy.outage(Outage.REFUSED);
            assertThatThrownBy(() -> new Socket("127.0.0.1", proxy.url().getPort()).close())
                    .isInstanceOf(ConnectException.class);
            assertThatThrownBy(() -> client.find(MAPS, key("a"))).isInstanceOf(ConnectionException.class);
            assertThatThrownBy(() -> client.find(MAPS, key("a"))).isInstanceOf(ConnectionException.class);
            assertThat(proxy.requests().openWatches()).isZero();

            proxy.outage(Outage.NONE);
            assertThat(client.find(MAPS, key("a"))).isPresent();
        }
        assertThatThrownBy(watch::next).isInstanceOf(ConnectionException.class);
    }

    @Test
    void anUnavailableApiAnswersWith503() {
        proxy.outage(Outage.UNAVAILABLE);
        assertThatThrownBy(() -> client.find(MAPS, key("a")))
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.status().code()).isEqualTo(503));

        proxy.outage(Outage.NONE);
        assertThat(client.find(MAPS, key("a"))).isEmpty();
    }

    @Test
    void delaysAnswers() {
        proxy.delay(Duration.ofMillis(300));
        long started = System.nanoTime();
        assertThat(client.find(MAPS, key("a"))).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - started)).isGreaterThan(Duration.ofMillis(300));

        proxy.delay(Duration.ZERO);
        assertThatThrownBy(() -> proxy.delay(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("delay must not be negative: PT-0.001S");
    }

    @Test
    void aShareOfRequestsFails() throws Exception {
        proxy.fail(Failures.of(0.2, 429, 7));
        int failed = 0;
        try (HttpClient http = http(HttpClient.Version.HTTP_2)) {
            for (int i = 0; i < 200; i++) {
                HttpResponse<String> answer = http.send(request(PATH).build(), BodyHandlers.ofString());
                if (answer.statusCode() == 429) {
                    failed++;
                    assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
                }
            }
        }
        assertThat(failed).isBetween(20, 60);
        assertThat(proxy.requests().by(Labels::status).get(429)).isEqualTo(failed);
        proxy.fail(Failures.NONE);
        client.list(MAPS, ListOptions.ALL);
    }

    @Test
    void anUnreachableApiServerIsABadGateway() {
        server.close();
        assertThatThrownBy(() -> client.find(MAPS, key("a")))
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.status().code()).isEqualTo(502));
    }

    @Test
    void manyClientsAtOnceAreCountedExactly() throws Exception {
        List<Thread> threads = IntStream.range(0, 8)
                .mapToObj(n -> Thread.ofVirtual().start(() -> {
                    for (int i = 0; i < 50; i++) {
                        client.create(map("m" + n + "-" + i, "1"));
                    }
                }))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(proxy.requests().count("create", "configmaps")).isEqualTo(400);
    }

    @Test
    void aWebSocketIsRefusedWithoutAWatchUpstream() throws Exception {
        try (HttpClient http = http(HttpClient.Version.HTTP_1_1)) {
            var handshake = http.newWebSocketBuilder()
                    .header("Authorization", "Bearer " + proxy.token())
                    .buildAsync(
                            java.net.URI.create("wss" + proxy.url().toString().substring(5) + PATH + "?watch=true"),
                            new java.net.http.WebSocket.Listener() {});
            assertThatThrownBy(handshake::get)
                    .cause()
                    .isInstanceOfSatisfying(
                            java.net.http.WebSocketHandshakeException.class,
                            e -> assertThat(e.getResponse().statusCode()).isEqualTo(200));
        }
        assertThat(proxy.requests().byVerbAndResource()).isEqualTo(Map.of("upgrade configmaps", 1L));
        assertThat(proxy.requests().openWatches()).isZero();
    }

    @Test
    void theKubeconfigHasNothingOfTheApiServer() {
        assertThat(proxy.kubeconfig())
                .contains(proxy.url().toString(), proxy.token())
                .doesNotContain(server.token(), String.valueOf(server.url().getPort()));
        assertThat(proxy.toString()).doesNotContain(proxy.token());
    }

    /** A stream that is cancelled before the client has sent its end once took the answer with it. */
    @Test
    void aRefusalBeforeTheEndOfTheRequestArrives() throws Exception {
        try (HttpClient http = http(HttpClient.Version.HTTP_2)) {
            for (int i = 0; i < 300; i++) {
                HttpRequest request = request("/apis/unknown.example.com/v1/things/a")
                        .header("Content-Type", "application/json")
                        .PUT(HttpRequest.BodyPublishers.ofString("{\"a\":\"" + "y".repeat(i % 3 * 40_000) + "\"}"))
                        .build();
                assertThat(http.send(request, BodyHandlers.discarding()).statusCode())
                        .isEqualTo(404);
            }
        }
    }

    /** A late cancellation once failed the next exchange on the same connection to the API server. */
    @Test
    void aClientThatStopsReadingFailsNoOtherRequest() throws Exception {
        client.create(map("a", "x".repeat(10_000)));
        try (HttpClient http = http(HttpClient.Version.HTTP_2)) {
            for (int i = 0; i < 500; i++) {
                HttpResponse<InputStream> first = http.send(request(PATH + "/a").build(), BodyHandlers.ofInputStream());
                try (InputStream in = first.body()) {
                    assertThat(in.read()).isEqualTo('{');
                }
                assertThat(http.send(request(PATH + "/a").build(), BodyHandlers.discarding())
                                .statusCode())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void aListIsReadWhileItIsSent() throws Exception {
        int objects = 20;
        for (int i = 0; i < objects; i++) {
            client.create(map("m" + i, "z".repeat(1_000_000)));
        }
        try (HttpClient http = http(HttpClient.Version.HTTP_2)) {
            HttpResponse<InputStream> answer = http.send(request(PATH).build(), BodyHandlers.ofInputStream());
            try (InputStream in = answer.body()) {
                assertThat(new String(in.readNBytes(20), UTF_8)).startsWith("{\"kind\":");
                // the client has hardly read: the proxy has not taken all of it
                assertThat(proxy.requests()
                                .filter(labels -> labels.verb().equals("list"))
                                .total()
                                .sent())
                        .isLessThan(19_000_000);
                assertThat(in.readAllBytes().length).isGreaterThan(20_000_000);
            }
        }
    }
}
