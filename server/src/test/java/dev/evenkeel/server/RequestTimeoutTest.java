package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests whose handler waits: for a webhook that does not answer, or for the body. */
class RequestTimeoutTest {
    private static final String MAPS = Fixture.MAPS;
    private static final String TIMEOUT =
            "{\"metadata\":{},\"status\":\"Failure\",\"message\":\"Timeout: request did not"
                    + " complete within the allotted timeout\",\"reason\":\"Timeout\",\"details\":{},\"code\":504}\n";

    private final CountDownLatch called = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch left = new CountDownLatch(1);
    private final Engine engine = Engine.builder()
            .webhooks((webhook, review, timeout) -> {
                called.countDown();
                try {
                    assertThat(released.await(120, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                } finally {
                    left.countDown();
                }
                throw new IOException("slow"); // ignored
            })
            .build();
    private final HttpClient http = HttpClient.newHttpClient();
    private Server server = start(Server.Limits.DEFAULT);

    private Server start(Server.Limits limits) {
        return Server.builder(engine)
                .tls(false)
                .token("admin", User.ADMIN)
                .limits(limits)
                .start();
    }

    @AfterEach
    void stop() {
        released.countDown();
        server.close();
        http.close();
        engine.close();
    }

    private void restart(Server.Limits limits) {
        server.close();
        server = start(limits);
    }

    private HttpResponse<String> send(String method, String path, String body) throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create(server.url() + path))
                        .header("Authorization", "Bearer admin")
                        .header("Content-Type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpResponse<String> create(String name, String query) throws Exception {
        return send("POST", MAPS + query, Fixture.configMap(name, "v"));
    }

    private void slowWebhook() throws Exception {
        HttpResponse<String> answer =
                send("POST", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", """
                {'metadata':{'name':'slow'},'webhooks':[{'name':'slow.example.com','failurePolicy':'Ignore',
                 'sideEffects':'None','admissionReviewVersions':['v1'],'timeoutSeconds':30,
                 'clientConfig':{'url':'https://127.0.0.1:1/slow'},'rules':[{'apiGroups':[''],'apiVersions':['v1'],
                  'resources':['configmaps'],'operations':['CREATE']}]}]}""");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    private static void timedOut(HttpResponse<String> answer) {
        assertThat(answer.body()).isEqualTo(TIMEOUT);
        assertThat(answer.statusCode()).isEqualTo(504);
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/plain; charset=utf-8");
        assertThat(answer.headers().firstValue("Audit-Id")).isPresent();
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-cache, private");
    }

    @Test
    void theClientSetsTheTime() throws Exception {
        slowWebhook();
        timedOut(create("slow", "?timeout=300ms"));
        assertThat(called.await(120, TimeUnit.SECONDS)).isTrue();
        assertThat(send("GET", MAPS + "/slow", "").statusCode()).isEqualTo(404);
        assertThat(send("GET", "/metrics", "").body())
                .containsPattern("apiserver_request_terminations_total\\{code=\"504\".*} 1");
        released.countDown();
        assertThat(left.await(120, TimeUnit.SECONDS)).isTrue();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (send("GET", MAPS + "/slow", "").statusCode() != 200) {
            assertThat(System.nanoTime()).as("what was begun is completed").isLessThan(deadline);
        }
    }

    @Test
    void theServerSetsTheTime() throws Exception {
        slowWebhook();
        restart(Server.Limits.DEFAULT.requestTimeout(Duration.ofMillis(300)));
        timedOut(create("slow", ""));
        timedOut(create("slower", "?timeout=10m"));
        timedOut(create("none", "?timeout=0s"));
        timedOut(create("negative", "?timeout=-1s"));
    }

    @Test
    void aWriteHasAShorterTimeAndAStatusOfItsOwn() throws Exception {
        slowWebhook();
        server.close();
        server = Server.builder(engine)
                .tls(false)
                .token("admin", User.ADMIN)
                .longestWrite(Duration.ofMillis(300))
                .start();
        HttpResponse<String> answer = create("slow", "");
        assertThat(called.await(120, TimeUnit.SECONDS)).isTrue();
        assertThat(answer.statusCode()).isEqualTo(504);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(Fixture.tree(answer))
                .isEqualTo(JsonObject.of("kind", "Status", "apiVersion", "v1", "metadata", new JsonObject())
                        .set("status", "Failure")
                        .set(
                                "message",
                                "Timeout: request did not complete within requested timeout - context deadline exceeded")
                        .set("reason", "Timeout")
                        .set("details", new JsonObject())
                        .set("code", 504L));
        assertThat(send("GET", "/metrics", "").body())
                .containsPattern("apiserver_request_terminations_total\\{code=\"504\".*} 1");
        timedOut(create("sooner", "?timeout=100ms"));
        assertThat(send("GET", MAPS, "").statusCode()).as("a read").isEqualTo(200);
    }

    @Test
    void whatIsAnsweredInTimeIsNotCutOff() throws Exception {
        assertThat(create("quick", "?timeout=1m").statusCode()).isEqualTo(201);
        HttpResponse<String> refused = create("other", "?timeout=1");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body())
                .contains("invalid timeout specified in the request URL - time: missing unit in duration \\\"1\\\"");
    }

    @Test
    void watchesLastLonger() throws Exception {
        restart(Server.Limits.DEFAULT.requestTimeout(Duration.ofMillis(1)));
        CompletableFuture<HttpResponse<String>> watch = CompletableFuture.supplyAsync(() -> {
            try {
                return send("GET", MAPS + "?watch=true&timeoutSeconds=1&timeout=1ms", "");
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        HttpResponse<String> answer = watch.get(120, TimeUnit.SECONDS);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    @Test
    void aBodyThatDoesNotArriveIsNotAwaitedLonger() throws Exception {
        try (Socket socket = new Socket("127.0.0.1", server.url().getPort())) {
            socket.setSoTimeout(120_000);
            OutputStream out = socket.getOutputStream();
            out.write(("POST " + MAPS + "?timeout=200ms HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer admin\r\n"
                            + "Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{")
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            byte[] answer = new byte[12];
            assertThat(socket.getInputStream().readNBytes(answer, 0, 12)).isEqualTo(12);
            assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 504");
        }
    }
}
