package dev.evenkeel.kubernetes;

import static dev.evenkeel.kubernetes.ScriptedServer.answer;
import static dev.evenkeel.kubernetes.ScriptedServer.bytes;
import static dev.evenkeel.kubernetes.ScriptedServer.chunk;
import static dev.evenkeel.kubernetes.ScriptedServer.chunked;
import static dev.evenkeel.kubernetes.ScriptedServer.end;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ConnectionException;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.ExpiredException;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.RequestInterruptedException;
import dev.evenkeel.client.RetryPolicy;
import dev.evenkeel.client.TokenSource;
import dev.evenkeel.client.TooManyRequestsException;
import dev.evenkeel.client.UnauthorizedException;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.kubernetes.ScriptedServer.Step;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Faults of networks, proxies and servers. */
@Timeout(300)
class FaultTest {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    private static final ObjectKey KEY = ObjectKey.of("default", "a");
    private static final String MAP =
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\",\"namespace\":\"default\","
                    + "\"resourceVersion\":\"7\"},\"data\":{\"k\":\"Z\u00fcrich \u65e5\u672c \ud83d\ude80 \\\" }] \\\\\"}}";
    private static final String VALUE = "Z\u00fcrich \u65e5\u672c \ud83d\ude80 \" }] \\";
    private static final Step FOUND = answer("200 OK", "", MAP);
    private static final Step BUSY =
            answer("429 Too Many Requests", "Retry-After: 2\r\n", status(429, "TooManyRequests"));
    private static final Step UNAVAILABLE = answer("503 Service Unavailable", "", "no upstream");
    private static final Step CUT = (unused, out) -> out.write(bytes("HTTP/1.1 200 OK\r\nContent-Le"));

    private final ManualPace pace = new ManualPace();

    private static String status(int code, String reason) {
        return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":" + code + ",\"reason\":\""
                + reason + "\",\"message\":\"said the server\"}";
    }

    private KubernetesClient.Builder to(ScriptedServer server) {
        return KubernetesClient.builder(Connection.to(server.url()).build()).pace(pace);
    }

    private static ConfigMap map() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("a")
                .endMetadata()
                .build();
    }

    // --- again

    @Test
    void tooManyRequestsIsTriedAgainWhenTheServerSaysEvenForWrites() {
        try (ScriptedServer server = new ScriptedServer(BUSY, BUSY, FOUND);
                KubernetesClient client = to(server).build()) {
            assertThat(client.create(map()).getData()).containsEntry("k", VALUE);

            assertThat(pace.pauses).hasSize(2).allMatch(pause -> pause.toMillis() >= 2000 && pause.toMillis() < 3000);
            assertThat(server.requests)
                    .hasSize(3)
                    .allMatch(request -> request.startsWith("POST ") && request.endsWith("}"));
        }
    }

    @Test
    void patienceEndsAndTheRefusalIsTheServers() {
        try (ScriptedServer server = new ScriptedServer(BUSY, BUSY, BUSY, BUSY, BUSY, BUSY, BUSY);
                KubernetesClient client = to(server).build()) {
            var refusal = catchThrowableOfType(TooManyRequestsException.class, () -> client.find(MAPS, KEY));

            assertThat(refusal.getMessage()).isEqualTo("said the server");
            assertThat(server.requests)
                    .as("4 times 2 s and more are past 10 s, so are 5 attempts")
                    .hasSize(5);
        }
        Step tomorrow = answer("429 Too Many Requests", "Retry-After: 86400\r\n", "");
        try (ScriptedServer server = new ScriptedServer(tomorrow, FOUND);
                KubernetesClient client = to(server).build()) {
            var refusal = catchThrowableOfType(TooManyRequestsException.class, () -> client.find(MAPS, KEY));

            assertThat(refusal.status().details().orElseThrow().retryAfterSeconds())
                    .isEqualTo(86400);
            assertThat(server.requests).hasSize(1);
        }
    }

    @Test
    void aServerThatIsAwayForAMomentIsNotNoticedByReads() {
        try (ScriptedServer server = new ScriptedServer(UNAVAILABLE, FOUND);
                KubernetesClient client = to(server).build()) {
            assertThat(client.find(MAPS, KEY)).isPresent();
            assertThat(pace.pauses).containsExactly(Duration.ofMillis(50));
        }
    }

    @Test
    void writesAreRepeatedOnlyWhenThatIsSafe() {
        Step later = answer("503 Service Unavailable", "Retry-After: 1\r\n", "");
        try (ScriptedServer server = new ScriptedServer(later, FOUND);
                KubernetesClient client = to(server).build()) {
            assertThatThrownBy(() -> client.create(map())).isInstanceOf(ApiException.class);
            assertThat(server.requests).hasSize(1);
        }
        try (ScriptedServer server = new ScriptedServer(UNAVAILABLE, FOUND);
                KubernetesClient client = to(server).build()) {
            assertThatThrownBy(() -> client.update(map())).isInstanceOf(ApiException.class);
            assertThat(server.requests).hasSize(1);
        }
        try (ScriptedServer server = new ScriptedServer(later, FOUND, later, FOUND, later, FOUND);
                KubernetesClient client = to(server).build()) {
            client.update(map());
            client.apply(map(), WriteOptions.DEFAULT);
            client.delete(map());
            assertThat(server.requests).hasSize(6);
        }
        try (ScriptedServer server = new ScriptedServer(later, FOUND);
                KubernetesClient client = to(server).build()) {
            assertThatThrownBy(() -> client.patch(MAPS, KEY, Patch.json("[]"), WriteOptions.DEFAULT))
                    .isInstanceOf(ApiException.class);
            assertThat(server.requests).hasSize(1);
        }
        try (ScriptedServer server = new ScriptedServer(CUT, FOUND);
                KubernetesClient client = to(server).build()) {
            assertThatThrownBy(() -> client.update(map()))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("PUT /api/v1/namespaces/default/configmaps/a");
            assertThat(server.requests).hasSize(1);
        }
    }

    @Test
    void readsOverABrokenConnectionAreRepeated() {
        try (ScriptedServer server = new ScriptedServer(CUT, CUT, FOUND);
                KubernetesClient client = to(server).build()) {
            assertThat(client.find(MAPS, KEY)).isPresent();
        }
    }

    @Test
    void withoutRetriesAFailureIsAFailure() {
        try (ScriptedServer server = new ScriptedServer(BUSY, FOUND);
                KubernetesClient client = to(server).retry(RetryPolicy.NONE).build()) {
            assertThatThrownBy(() -> client.find(MAPS, KEY)).isInstanceOf(TooManyRequestsException.class);
        }
    }

    @Test
    void anUnreachableServerIsAConnectionException() {
        URI gone;
        try (ScriptedServer server = new ScriptedServer()) {
            gone = server.url();
        }
        try (KubernetesClient client =
                KubernetesClient.builder(Connection.to(gone).build()).pace(pace).build()) {
            assertThatThrownBy(() -> client.find(MAPS, KEY))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining(gone.toString());
            assertThat(pace.pauses).hasSize(4);
        }
    }

    // --- lists

    private static String list(String... items) {
        return "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"9\",\"continue\":\"next\","
                + "\"remainingItemCount\":3},\"items\":[" + String.join(",", items) + "]}";
    }

    @Test
    void aListThatIsCutInTheMiddleIsReadAgainAndNeverShort() {
        byte[] text = bytes(list(MAP, MAP));
        Step cut = (unused, out) -> {
            out.write(chunked());
            chunk(out, Arrays.copyOf(text, text.length / 2));
        };
        Step early = (unused, out) -> {
            out.write(chunked());
            chunk(out, Arrays.copyOf(text, text.length - 1));
            end(out);
        };
        try (ScriptedServer server = new ScriptedServer(cut, early, answer("200 OK", "", list(MAP, MAP)));
                KubernetesClient client = to(server).build()) {
            Listing<ConfigMap> listing = client.list(MAPS, ListOptions.in("default"));

            assertThat(listing.items())
                    .hasSize(2)
                    .allMatch(item -> item.getData().get("k").equals(VALUE));
            assertThat(listing.resourceVersion()).isEqualTo("9");
            assertThat(listing.continueToken()).isEqualTo("next");
            assertThat(server.requests).hasSize(3);
        }
    }

    @Test
    void listsComeCompressed() throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(bytes(list(MAP)));
        }
        Step step = (unused, out) ->
                out.write(ScriptedServer.whole("200 OK", "Content-Encoding: gzip\r\n", packed.toByteArray()));
        try (ScriptedServer server = new ScriptedServer(step, answer("200 OK", "", list()));
                KubernetesClient client = to(server).compression(true).build();
                KubernetesClient plain = to(server).build()) {
            assertThat(client.list(MAPS, ListOptions.in("default")).items())
                    .singleElement()
                    .satisfies(item -> assertThat(item.getData()).containsEntry("k", VALUE));
            assertThat(plain.list(MAPS, ListOptions.in("default")).items()).isEmpty();
            assertThat(server.requests.get(0)).containsIgnoringCase("accept-encoding: gzip");
            assertThat(server.requests.get(1)).as("on this machine").doesNotContainIgnoringCase("accept-encoding");
        }
    }

    @Test
    void anObjectLargerThanAllowedIsRefusedAndTheLimitNamed() {
        String large = MAP.replace("\"k\"", "\"" + "k".repeat(4096) + "\"");
        try (ScriptedServer server =
                        new ScriptedServer(answer("200 OK", "", large), answer("200 OK", "", list(MAP, large)));
                KubernetesClient client = to(server).maxObjectBytes(2048).build()) {
            assertThatThrownBy(() -> client.find(MAPS, KEY))
                    .isInstanceOf(KubernetesClient.UnexpectedAnswerException.class)
                    .hasMessageContaining("maxObjectBytes");
        }
    }

    // --- responses of proxies

    @Test
    void aProxysPageIsShownForWhatItIs() {
        Step login = answer("200 OK", "", "<html><title>Sign in</title></html>");
        Step gateway = answer("502 Bad Gateway", "", "<html>\n<h1>Bad\tGateway</h1></html>");
        Step moved = answer("302 Found", "Location: https://login.example.com/\r\n", "");
        try (ScriptedServer server = new ScriptedServer(login, login, gateway, moved);
                KubernetesClient client = to(server).retry(RetryPolicy.NONE).build()) {
            assertThatThrownBy(() -> client.find(MAPS, KEY))
                    .isInstanceOf(KubernetesClient.UnexpectedAnswerException.class)
                    .hasMessageContaining("Sign in")
                    .hasMessageContaining("is this the address of the API server?");
            assertThatThrownBy(() -> client.list(MAPS, ListOptions.ALL))
                    .isInstanceOf(KubernetesClient.UnexpectedAnswerException.class)
                    .hasMessageContaining("<html>");
            var refusal = catchThrowableOfType(ApiException.class, () -> client.find(MAPS, KEY));
            assertThat(refusal.code()).isEqualTo(502);
            assertThat(refusal.getMessage()).contains("<h1>Bad Gateway</h1>");
            assertThatThrownBy(() -> client.find(MAPS, KEY))
                    .isInstanceOf(KubernetesClient.UnexpectedAnswerException.class)
                    .hasMessageContaining("https://login.example.com/");
        }
    }

    @Test
    void anUnknownPathDiffersFromAMissingObject() {
        Step unknown = answer("404 Not Found", "", "404 page not found\n");
        try (ScriptedServer server = new ScriptedServer(unknown);
                KubernetesClient client = to(server).build()) {
            var refusal = catchThrowableOfType(NotFoundException.class, () -> client.find(MAPS, KEY));
            assertThat(refusal.getMessage()).isEqualTo("the server could not find the requested resource");
        }
    }

    // --- what is sent

    @Test
    void writesSayWhoWritesAndWhatTheyHoldTo() {
        try (ScriptedServer server = new ScriptedServer(FOUND, FOUND);
                KubernetesClient client = to(server).fieldManager("me").build()) {
            Fence fence = new Fence(ObjectKey.of("kube-system", "leader"), "host-1", 3);
            client.update(MAPS, map(), WriteOptions.DEFAULT.fence(fence).dryRun(true));
            client.delete(
                    MAPS,
                    KEY,
                    DeleteOptions.DEFAULT
                            .fence(new Fence(fence.lease(), "h\u00f6st;a", 0))
                            .uid("u"));

            assertThat(server.requests.get(0))
                    .startsWith(
                            "PUT /api/v1/namespaces/default/configmaps/a?fieldManager=me&fieldValidation=Warn&dryRun=All ")
                    .containsIgnoringCase("evenkeel-fence: kube-system/leader; holder=host-1; transitions=3\r\n")
                    .containsIgnoringCase("user-agent: evenkeel\r\n");
            assertThat(server.requests.get(1))
                    .containsIgnoringCase("evenkeel-fence: kube-system/leader; holder=h%C3%B6st%3Ba; transitions=0\r\n")
                    .endsWith("\"preconditions\":{\"uid\":\"u\"}}");
        }
    }

    // --- tokens

    @Test
    void aRefusedTokenIsRequestedAgainOnce() {
        Step no = answer("401 Unauthorized", "", status(401, "Unauthorized"));
        AtomicInteger asked = new AtomicInteger();
        TokenSource source = new TokenSource() {
            @Override
            public String token() {
                return "old";
            }

            @Override
            public String refresh(String refused) {
                assertThat(refused).isEqualTo("old");
                return "new-" + asked.incrementAndGet();
            }
        };
        try (ScriptedServer server = new ScriptedServer(no, FOUND, no, no);
                KubernetesClient client = KubernetesClient.builder(
                                Connection.to(server.url()).tokens(source).build())
                        .pace(pace)
                        .build()) {
            assertThat(client.find(MAPS, KEY)).isPresent();
            assertThatThrownBy(() -> client.find(MAPS, KEY)).isInstanceOf(UnauthorizedException.class);

            assertThat(server.requests)
                    .extracting(request -> request.replaceAll("(?s).*Bearer ([^\r]*).*", "$1"))
                    .containsExactly("old", "new-1", "old", "new-2");
            assertThat(pace.pauses).isEmpty();
        }
    }

    @Test
    void aRotatedTokenFileIsReadAgainWhenTheOldTokenIsRefused(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("token"), "first\n");
        Step rotate = (unused, out) -> {
            Files.writeString(file, "second\n");
            out.write(ScriptedServer.whole("401 Unauthorized", "", bytes(status(401, "Unauthorized"))));
        };
        try (ScriptedServer server = new ScriptedServer(FOUND, rotate, FOUND, FOUND);
                KubernetesClient client = KubernetesClient.builder(
                                Connection.to(server.url()).tokenFile(file).build())
                        .build()) {
            for (int i = 0; i < 3; i++) {
                client.find(MAPS, KEY);
            }
            assertThat(server.requests)
                    .extracting(request -> request.replaceAll("(?s).*Bearer ([^\r]*).*", "$1"))
                    .containsExactly("first", "first", "second", "second");
        }
    }

    // --- watches

    private static byte[] event(String type) {
        return bytes("{\"type\":\"" + type + "\",\"object\":" + MAP + "}\n");
    }

    @Test
    void eventsAreWholeWhereverTheNetworkCutsThem() throws Exception {
        byte[] events = bytes(new String(event("ADDED"), java.nio.charset.StandardCharsets.UTF_8).repeat(2));
        List<Step> steps = new ArrayList<>();
        for (int cut = 1; cut < events.length; cut++) {
            int at = cut;
            steps.add((unused, out) -> {
                out.write(chunked());
                chunk(out, Arrays.copyOf(events, at));
                chunk(out, Arrays.copyOfRange(events, at, events.length));
                end(out);
            });
        }
        steps.add((unused, out) -> {
            out.write(chunked());
            for (byte b : events) {
                chunk(out, new byte[] {b});
            }
            end(out);
        });
        try (ScriptedServer server = new ScriptedServer(steps.toArray(Step[]::new));
                KubernetesClient client = to(server).build()) {
            for (int i = 0; i < steps.size(); i++) {
                try (Watch<ConfigMap> watch = client.watch(MAPS, ListOptions.ALL)) {
                    for (int k = 0; k < 2; k++) {
                        Watch.Event<ConfigMap> event = watch.next().orElseThrow();
                        assertThat(event.object().getData())
                                .as("cut after " + i)
                                .containsEntry("k", VALUE);
                        assertThat(event.resourceVersion()).isEqualTo("7");
                    }
                    assertThat(watch.next()).isEmpty();
                }
            }
        }
    }

    @Test
    void longEventsAreRead() throws Exception {
        String value = "\u65e5".repeat(300_000);
        byte[] line = bytes("{\"object\":" + MAP.replace("Z\u00fcrich", value) + ",\"type\":\"MODIFIED\"}\n\n");
        try (ScriptedServer server = new ScriptedServer((unused, out) -> {
                    out.write(chunked());
                    chunk(out, line);
                    end(out);
                });
                KubernetesClient client = to(server).build();
                Watch<Encoded> watch = client.watch(MAPS.encoded(), ListOptions.ALL)) {
            Watch.Event<Encoded> event = watch.next().orElseThrow();
            assertThat(event.type()).isEqualTo(Watch.Type.MODIFIED);
            assertThat(event.object().decode(ConfigMap.class).getData().get("k"))
                    .startsWith(value);
            assertThat(watch.next()).isEmpty();
        }
    }

    @Test
    void aWatchThatIsCutInALineFails() throws Exception {
        CountDownLatch seen = new CountDownLatch(1); // else the end may overtake what was sent before it
        try (ScriptedServer server = new ScriptedServer((unused, out) -> {
                    out.write(chunked());
                    chunk(out, event("ADDED"));
                    chunk(out, Arrays.copyOf(event("ADDED"), 40));
                    seen.await();
                });
                KubernetesClient client = to(server).build();
                Watch<ConfigMap> watch = client.watch(MAPS, ListOptions.ALL)) {
            assertThat(watch.next()).isPresent();
            seen.countDown();
            assertThatThrownBy(watch::next).isInstanceOf(ConnectionException.class);
            assertThat(watch.next()).as("over").isEmpty();
        }
    }

    @Test
    void aWatchThatEndsInALineFails() throws Exception {
        try (ScriptedServer server = new ScriptedServer((unused, out) -> {
                    out.write(chunked());
                    chunk(out, Arrays.copyOf(event("ADDED"), 40));
                    end(out);
                });
                KubernetesClient client = to(server).build();
                Watch<ConfigMap> watch = client.watch(MAPS, ListOptions.ALL)) {
            assertThatThrownBy(watch::next)
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("in the middle of an event");
        }
    }

    @Test
    void errorsOfAWatchAreRefusals() throws Exception {
        try (ScriptedServer server = new ScriptedServer(
                        (unused, out) -> {
                            out.write(chunked());
                            chunk(out, bytes("{\"type\":\"ERROR\",\"object\":" + status(410, "Expired") + "}\n"));
                            end(out);
                        },
                        answer("410 Gone", "", status(410, "Expired")));
                KubernetesClient client = to(server).build();
                Watch<ConfigMap> watch = client.watch(MAPS, ListOptions.ALL)) {
            assertThatThrownBy(watch::next).isInstanceOf(ExpiredException.class).hasMessage("said the server");
            assertThatThrownBy(() -> client.watch(MAPS, ListOptions.ALL)).isInstanceOf(ExpiredException.class);
        }
    }

    @Test
    void aSilentWatchEndsAfterItsTimeout() throws Exception {
        AtomicReference<ScriptedServer> self = new AtomicReference<>();
        try (ScriptedServer server = new ScriptedServer((unused, out) -> {
                    out.write(chunked());
                    out.flush();
                    self.get().hang();
                });
                KubernetesClient client =
                        to(server).watchTimeout(Duration.ofMillis(50)).build()) {
            self.set(server);
            try (Watch<ConfigMap> watch = client.watch(MAPS, ListOptions.ALL)) {
                assertThat(watch.ready()).isFalse();
                assertThatThrownBy(watch::next)
                        .isInstanceOf(ConnectionException.class)
                        .hasMessageContaining("no data for 50 ms");
            }
        }
    }

    @Test
    void aServerThatNeverAnswersIsGivenUp() {
        AtomicReference<ScriptedServer> self = new AtomicReference<>();
        try (ScriptedServer server =
                        new ScriptedServer((unused, out) -> self.get().hang());
                KubernetesClient client = impatient(server, Duration.ofMillis(50))) {
            self.set(server);
            assertThatThrownBy(() -> client.find(MAPS, KEY))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("no answer in 50 ms");
        }
    }

    /** The head of the answer must come in time, hence the time that a busy machine may need for it. */
    @Test
    void aServerThatStopsWithinItsAnswerIsGivenUp() {
        AtomicReference<ScriptedServer> self = new AtomicReference<>();
        Step stalled = (unused, out) -> {
            out.write(chunked());
            chunk(out, bytes("{\"kind\":"));
            self.get().hang();
        };
        try (ScriptedServer server = new ScriptedServer(stalled);
                KubernetesClient client = impatient(server, Duration.ofSeconds(3))) {
            self.set(server);
            assertThatThrownBy(() -> client.list(MAPS, ListOptions.ALL))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("no data for 3000 ms");
        }
    }

    private KubernetesClient impatient(ScriptedServer server, Duration timeout) {
        return to(server).requestTimeout(timeout).retry(RetryPolicy.NONE).build();
    }

    @Test
    void aWaitEndsByCloseAndByInterruption() throws Exception {
        AtomicReference<ScriptedServer> self = new AtomicReference<>();
        Step quiet = (unused, out) -> {
            out.write(chunked());
            chunk(out, event("ADDED"));
            self.get().hang();
        };
        try (ScriptedServer server = new ScriptedServer(quiet, quiet, quiet);
                KubernetesClient client = to(server).build()) {
            self.set(server);
            Watch<ConfigMap> closed = client.watch(MAPS, ListOptions.ALL);
            assertThat(waken(closed, false, closed::close)).isEqualTo("Optional.empty");
            Watch<ConfigMap> interrupted = client.watch(MAPS, ListOptions.ALL);
            assertThat(waken(interrupted, true, () -> {})).isEqualTo("interrupted");
            Watch<ConfigMap> last = client.watch(MAPS, ListOptions.ALL);
            assertThat(waken(last, false, client::close)).isEqualTo("Optional.empty");
        }
    }

    private static String waken(Watch<ConfigMap> watch, boolean interrupt, Runnable close) throws InterruptedException {
        AtomicReference<String> outcome = new AtomicReference<>("");
        CountDownLatch first = new CountDownLatch(1);
        Thread reader = Thread.ofVirtual().start(() -> {
            try {
                watch.next().orElseThrow();
                first.countDown();
                outcome.set(watch.next().toString());
            } catch (InterruptedException e) {
                outcome.set("interrupted");
            } catch (RuntimeException e) {
                outcome.set(e.toString());
            }
        });
        first.await();
        if (interrupt) {
            reader.interrupt();
        } else {
            close.run();
        }
        reader.join();
        watch.close();
        return outcome.get();
    }

    @Test
    void anInterruptedRequestReportsThatAndKeepsTheFlag() throws Exception {
        AtomicReference<ScriptedServer> self = new AtomicReference<>();
        CountDownLatch asked = new CountDownLatch(1);
        Step silent = (unused, out) -> {
            asked.countDown();
            self.get().hang();
        };
        try (ScriptedServer server = new ScriptedServer(silent);
                KubernetesClient client = to(server).build()) {
            self.set(server);
            AtomicReference<Object> outcome = new AtomicReference<>();
            Thread caller = Thread.ofVirtual().start(() -> {
                try {
                    client.find(MAPS, KEY);
                } catch (RequestInterruptedException e) {
                    outcome.set(Thread.currentThread().isInterrupted());
                }
            });
            asked.await();
            caller.interrupt();
            caller.join();
            assertThat(outcome.get()).isEqualTo(true);
        }
        try (ScriptedServer server = new ScriptedServer(BUSY, FOUND);
                KubernetesClient client = to(server).build()) {
            AtomicReference<Object> outcome = new AtomicReference<>();
            Thread caller = Thread.ofVirtual().start(() -> {
                pace.onPause(Thread.currentThread()::interrupt);
                try {
                    client.find(MAPS, KEY);
                } catch (RequestInterruptedException e) {
                    outcome.set(Thread.currentThread().isInterrupted());
                }
            });
            caller.join();
            assertThat(outcome.get()).isEqualTo(true);
            assertThat(server.requests).hasSize(1);
        }
    }

    @Test
    void readyReturnsWhetherNextWouldWait() throws Exception {
        AtomicReference<ScriptedServer> self = new AtomicReference<>();
        CountDownLatch more = new CountDownLatch(1);
        try (ScriptedServer server = new ScriptedServer((unused, out) -> {
                    out.write(chunked());
                    byte[] line = event("ADDED");
                    chunk(out, bytes(new String(line, java.nio.charset.StandardCharsets.UTF_8).repeat(2)));
                    chunk(out, Arrays.copyOf(line, 10));
                    more.await();
                    chunk(out, Arrays.copyOfRange(line, 10, line.length));
                    end(out);
                });
                KubernetesClient client = to(server).build()) {
            self.set(server);
            try (Watch<ConfigMap> watch = client.watch(MAPS, ListOptions.ALL)) {
                watch.next();
                assertThat(watch.ready()).isTrue();
                watch.next();
                assertThat(watch.ready()).isFalse();
                more.countDown();
                assertThat(watch.next()).isPresent();
                assertThat(watch.next()).isEmpty();
                assertThat(watch.ready()).isTrue();
            }
        }
    }
}
