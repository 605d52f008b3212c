package dev.evenkeel.load.internal.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.evenkeel.kubernetes.Connection;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bodies of any length, in front of a server that the test controls. */
@Timeout(300)
class ApiProxyStreamTest {
    private static final int MEBIBYTE = 1024 * 1024;

    /** More than the buffers of all sockets and windows between server and client. */
    private static final long MOST_IN_FLIGHT = 64L * MEBIBYTE;

    private final BlockingQueue<HttpExchange> requests = new LinkedBlockingQueue<>();
    private final HttpServer server;
    private final ApiProxy proxy;

    ApiProxyStreamTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/base", requests::add);
        server.start();
        proxy = ApiProxy.start(Connection.to(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/base/"))
                .token("secret-of-the-server")
                .impersonate("jane", List.of("readers"))
                .build());
    }

    @AfterEach
    void close() {
        proxy.close();
        server.stop(0);
    }

    private HttpClient client(HttpClient.Version version) {
        return HttpClient.newBuilder()
                .sslContext(proxy.connection().tls().orElseThrow())
                .version(version)
                .build();
    }

    private HttpRequest.Builder get(String target) {
        return HttpRequest.newBuilder(URI.create(proxy.url() + target))
                .header("Authorization", "Bearer " + proxy.token());
    }

    private HttpExchange next() throws InterruptedException {
        HttpExchange exchange = requests.poll(120, TimeUnit.SECONDS);
        assertThat(exchange).isNotNull();
        return exchange;
    }

    @ParameterizedTest
    @EnumSource
    void theClientReadsTheBeginningBeforeTheServerSendsTheEnd(HttpClient.Version version) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        try (HttpClient client = client(version)) {
            var answer = client.sendAsync(get("/api/v1/pods").build(), BodyHandlers.ofInputStream());
            HttpExchange exchange = next();
            Thread sender = Thread.ofVirtual().start(() -> {
                try (OutputStream out = exchange.getResponseBody()) {
                    exchange.sendResponseHeaders(200, 20L * MEBIBYTE);
                    out.write(new byte[MEBIBYTE]);
                    out.flush();
                    begun.await();
                    for (int i = 1; i < 20; i++) {
                        out.write(new byte[MEBIBYTE]);
                    }
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            try (InputStream in = answer.get(120, TimeUnit.SECONDS).body()) {
                assertThat(in.readNBytes(MEBIBYTE)).hasSize(MEBIBYTE);
                begun.countDown();
                assertThat(in.readAllBytes()).hasSize(19 * MEBIBYTE);
            }
            sender.join();
        }
        assertThat(proxy.requests().total().sent()).isEqualTo(20L * MEBIBYTE);
    }

    @Test
    void aClientThatDoesNotReadStopsTheServer() throws Exception {
        AtomicLong written = new AtomicLong();
        try (HttpClient client = client(HttpClient.Version.HTTP_1_1)) {
            var answer = client.sendAsync(get("/api/v1/pods").build(), BodyHandlers.ofInputStream());
            HttpExchange exchange = next();
            Thread sender = Thread.ofVirtual().start(() -> {
                try (OutputStream out = exchange.getResponseBody()) {
                    exchange.sendResponseHeaders(200, 0);
                    byte[] piece = new byte[MEBIBYTE];
                    while (written.get() < 2 * MOST_IN_FLIGHT) {
                        out.write(piece);
                        written.addAndGet(piece.length);
                    }
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            try (InputStream in = answer.get(120, TimeUnit.SECONDS).body()) {
                Await.until("the server waits", () -> blocked(written));
                assertThat(written.get()).isLessThan(MOST_IN_FLIGHT);
                long all = 0;
                byte[] piece = new byte[MEBIBYTE];
                for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                    all += n;
                }
                assertThat(all).isEqualTo(2 * MOST_IN_FLIGHT);
            }
            sender.join();
        }
    }

    /** Returns whether nothing was written for a while. */
    private static boolean blocked(AtomicLong written) {
        long before = written.get();
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200);
        while (System.nanoTime() < until) {
            if (written.get() != before) {
                return false;
            }
            Thread.onSpinWait();
        }
        return before > 0;
    }

    @Test
    void sendsTheCredentialsOfTheServerInThePlaceOfThoseOfTheClient() throws Exception {
        try (HttpClient client = client(HttpClient.Version.HTTP_2)) {
            var answer = client.sendAsync(
                    get("/api/v1/pods?labelSelector=a%20in%20(b%2Cc)&limit=5")
                            .header("Impersonate-User", "admin")
                            .header("Impersonate-Group", "system:masters")
                            .header("Accept", "application/json;as=Table")
                            .header("Cookie", "a=b")
                            .header("Origin", proxy.url().toString())
                            .header("Proxy-Authorization", "Basic abc")
                            .build(),
                    BodyHandlers.ofString());
            HttpExchange exchange = next();
            assertThat(exchange.getRequestURI().toString())
                    .isEqualTo("/base/api/v1/pods?labelSelector=a%20in%20(b%2Cc)&limit=5");
            assertThat(exchange.getRequestHeaders().get("Authorization"))
                    .containsExactly("Bearer secret-of-the-server");
            assertThat(exchange.getRequestHeaders().get("Impersonate-User")).containsExactly("jane");
            assertThat(exchange.getRequestHeaders().get("Impersonate-Group")).containsExactly("readers");
            assertThat(exchange.getRequestHeaders().get("Accept")).containsExactly("application/json;as=Table");
            assertThat(exchange.getRequestHeaders())
                    .doesNotContainKeys("Cookie", "Origin", "Proxy-Authorization", "Accept-Encoding");
            exchange.getResponseHeaders().add("X-Kubernetes-Pf-Flowschema-Uid", "7");
            exchange.getResponseHeaders().add("Keep-Alive", "timeout=5");
            exchange.getResponseHeaders().add("Warning", "299 - \"deprecated\"");
            exchange.sendResponseHeaders(200, -1);
            exchange.close();

            var headers = answer.get(120, TimeUnit.SECONDS).headers();
            assertThat(headers.firstValue("X-Kubernetes-Pf-Flowschema-Uid")).hasValue("7");
            assertThat(headers.firstValue("Warning")).hasValue("299 - \"deprecated\"");
            assertThat(headers.firstValue("Keep-Alive")).isEmpty();
        }
    }

    @Test
    void anAnswerThatEndsEarlyDoesNotLookComplete() throws Exception {
        for (HttpClient.Version version : HttpClient.Version.values()) {
            try (HttpClient client = client(version)) {
                var answer = client.sendAsync(get("/api/v1/pods").build(), BodyHandlers.ofString());
                HttpExchange exchange = next();
                exchange.sendResponseHeaders(200, 1000);
                exchange.getResponseBody().write(new byte[100]);
                exchange.getResponseBody().flush();
                exchange.close();

                assertThat(answer.handle((body, failure) -> failure != null).get(120, TimeUnit.SECONDS))
                        .as("failed over " + version)
                        .isTrue();
            }
        }
    }

    @Test
    void anUploadIsStreamed() throws Exception {
        byte[] piece = new byte[MEBIBYTE];
        try (HttpClient client = client(HttpClient.Version.HTTP_2)) {
            var answer = client.sendAsync(
                    get("/api/v1/namespaces/a/configmaps")
                            .POST(HttpRequest.BodyPublishers.ofByteArrays(java.util.Collections.nCopies(8, piece)))
                            .build(),
                    BodyHandlers.discarding());
            HttpExchange exchange = next();
            assertThat(exchange.getRequestBody().readAllBytes()).hasSize(8 * MEBIBYTE);
            exchange.sendResponseHeaders(201, -1);
            exchange.close();
            assertThat(answer.get(120, TimeUnit.SECONDS).statusCode()).isEqualTo(201);
        }
        assertThat(proxy.requests().total().received()).isEqualTo(8L * MEBIBYTE);
    }
}
