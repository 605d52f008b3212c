package dev.evenkeel.load.internal.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real HTTP server. */
class MetricsMeterTest {
    private static final String TEXT = """
            # HELP requests Requests.
            # TYPE requests counter
            requests{code="200",path="/a \\"b\\" \\\\ {,} =\\n"} 10
            requests{code="200", path="/c",} 2.5e1 1395066363000
            requests{code="500"} 3
            requests_more{code="200"} 1000
              depth 7
            wait_seconds_bucket{le="+Inf"} 4
            wait_seconds_sum 1.5
            wait_seconds_count 4 # {trace="x"} 0.67
            quantile{quantile="0.5"} NaN
            limit +Inf
            """;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @FunctionalInterface
    private interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    MetricsMeterTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private URI url(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    private URI answer(Answer answer) {
        server.createContext("/metrics", exchange -> {
            try (exchange) {
                answer.to(exchange);
            }
        });
        return url("/metrics");
    }

    private static void text(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    private static MetricsMeter meter(URI url, String... names) {
        return MetricsMeter.of(url, List.of(names)).build();
    }

    @Test
    void seriesAreSelectedByNameAndLabels() throws IOException {
        URI url = answer(exchange -> text(exchange, 200, TEXT));
        MetricsMeter meter = meter(
                url,
                "requests",
                "requests{code=\"200\"}",
                "requests{path=\"/a \\\"b\\\" \\\\ {,} =\\n\"}",
                "requests{code=\"404\"}",
                "depth",
                "wait_seconds_sum",
                "wait_seconds_count",
                "wait_seconds",
                "quantile",
                "limit");
        assertThat(meter.read())
                .containsOnly(
                        entry("requests", 38.0),
                        entry("requests{code=\"200\"}", 35.0),
                        entry("requests{path=\"/a \\\"b\\\" \\\\ {,} =\\n\"}", 10.0),
                        entry("depth", 7.0),
                        entry("wait_seconds_sum", 1.5),
                        entry("wait_seconds_count", 4.0),
                        entry("limit", Double.POSITIVE_INFINITY));
        // the connection is used again
        assertThat(meter.read()).containsEntry("depth", 7.0);
        assertThat(meter(url, "depth").figures()).containsExactly(Figure.level("metric.depth", "", 7));
    }

    @Test
    void theTokenIsSentAndStaysSecret() throws IOException {
        URI url = answer(exchange -> {
            boolean right = "Bearer s3cret".equals(exchange.getRequestHeaders().getFirst("Authorization"));
            text(exchange, right ? 200 : 403, "up 1\n");
        });
        assertThat(MetricsMeter.of(url, List.of("up"))
                        .token(() -> "s3cret")
                        .build()
                        .read())
                .containsEntry("up", 1.0);
        assertThatThrownBy(() -> MetricsMeter.of(url, List.of("up"))
                        .token(() -> "wr0ng")
                        .build()
                        .read())
                .isInstanceOf(IOException.class)
                .hasMessage(url + ": must answer 200, and answers 403; give a bearer token that may read it")
                .message()
                .doesNotContain("wr0ng");
    }

    @Test
    void aRedirectIsNotFollowed() {
        URI url = answer(exchange -> {
            exchange.getResponseHeaders().add("Location", url("/other").toString());
            exchange.sendResponseHeaders(302, -1);
        });
        assertThatThrownBy(meter(url, "up")::read).hasMessage(url + ": must answer 200, and answers 302");
    }

    @Test
    void aLargeAnswerIsRefused() throws IOException {
        URI url = answer(exchange -> text(exchange, 200, "up 1\n".repeat(1000)));
        assertThatThrownBy(MetricsMeter.of(url, List.of("up")).mostBytes(4999).build()::read)
                .isInstanceOf(IOException.class)
                .hasMessage(url + ": the answer must be at most 4999 bytes");
        assertThat(MetricsMeter.of(url, List.of("up")).mostBytes(5000).build().read())
                .containsEntry("up", 1000.0);
    }

    @Test
    void anAnswerThatDoesNotComeIsRefused() {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        URI url = answer(exchange -> {
            asked.countDown();
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        MetricsMeter meter = MetricsMeter.of(url, List.of("up"))
                .timeout(Duration.ofMillis(50))
                .build();
        try {
            assertThatThrownBy(meter::read)
                    .isInstanceOf(IOException.class)
                    .hasMessage(url + ": must answer within 50 ms");
        } finally {
            over.countDown();
        }
    }

    @Test
    void anAnswerThatComesSlowlyIsRefused() {
        URI url = answer(exchange -> text(exchange, 200, TEXT));
        long[] now = {0};
        MetricsMeter meter = MetricsMeter.of(url, List.of("up"))
                .nanos(() -> now[0] += 6_000_000_000L)
                .build();
        assertThatThrownBy(meter::read).hasMessage(url + ": must answer within 5000 ms");
    }

    @Test
    void anotherTextIsRefused() {
        URI url = answer(exchange -> text(exchange, 200, "up 1\nup{a=b} 2\n"));
        assertThatThrownBy(meter(url, "up")::read)
                .isInstanceOf(IOException.class)
                .hasMessage(url + ": line 2: metric: must be =\"value\" at character 6: up{a=b} 2");
        server.removeContext("/metrics");
        URI other = answer(exchange -> text(exchange, 200, "up one\n"));
        assertThatThrownBy(meter(other, "up")::read)
                .hasMessage(other + ": line 1: metric: the value must be a number: one");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "1a", "a b", "a{", "a{b}", "a{b=c}", "a{b=\"c}", "a{b=\"c\"", "a{b=\"c\" d=\"e\"}", "a{}x"})
    void aNameThatIsNoneIsRefused(String name) {
        assertThatThrownBy(() -> MetricsMeter.of(URI.create("http://127.0.0.1/metrics"), List.of(name)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("metric: must be ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"file:///etc/passwd", "localhost:80/metrics", "/metrics", "jar:http://x!/y", "http:/metrics"})
    void aUrlOfSomethingElseIsRefused(String url) {
        assertThatThrownBy(() -> MetricsMeter.of(URI.create(url), List.of("up")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("url must be such as http://");
    }

    @Test
    void onlyTheGivenCertificateIsTrusted(@TempDir Path directory) throws Exception {
        Path store = certificate(directory, "right");
        HttpsServer secure = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        secure.setHttpsConfigurator(new HttpsConfigurator(context(store)));
        secure.setExecutor(threads);
        secure.createContext("/", exchange -> {
            try (exchange) {
                text(exchange, 200, "up 1\n");
            }
        });
        secure.start();
        try {
            URI url = URI.create("https://127.0.0.1:" + secure.getAddress().getPort() + "/metrics");
            assertThat(MetricsMeter.of(url, List.of("up"))
                            .trust(directory.resolve("right.pem"))
                            .build()
                            .read())
                    .containsEntry("up", 1.0);
            Path unused = certificate(directory, "wrong");
            assertThatThrownBy(MetricsMeter.of(url, List.of("up"))
                            .trust(directory.resolve("wrong.pem"))
                            .build()::read)
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(meter(url, "up")::read).isInstanceOf(IOException.class);
        } finally {
            secure.stop(0);
        }
        Path empty = Files.writeString(directory.resolve("empty.pem"), "");
        assertThatThrownBy(() -> MetricsMeter.of(url("/"), List.of("up")).trust(empty))
                .isInstanceOf(IOException.class)
                .hasMessage("certificate " + empty + ": has no certificate in PEM");
    }

    private static Path certificate(Path directory, String name) throws Exception {
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Path store = directory.resolve(name + ".p12");
        run(
                keytool,
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:127.0.0.1",
                "-storepass",
                "password",
                "-keystore",
                store.toString());
        run(
                keytool,
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-exportcert",
                "-rfc",
                "-alias",
                "a",
                "-storepass",
                "password",
                "-keystore",
                store.toString(),
                "-file",
                directory.resolve(name + ".pem").toString());
        return store;
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    private static SSLContext context(Path store) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream input = Files.newInputStream(store)) {
            keys.load(input, "password".toCharArray());
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, "password".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return context;
    }
}
