package dev.evenkeel.reconcile.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.client.internal.tls.CertificateAuthority;
import dev.evenkeel.controller.Result;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionResponse;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WebhookServerTest {
    private static final String REVIEW = """
            {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{
             "uid":"u-1","kind":{"group":"","version":"v1","kind":"ConfigMap"},
             "resource":{"group":"","version":"v1","resource":"configmaps"},
             "name":"m","namespace":"shop","operation":"CREATE","userInfo":{"username":"jane"},"dryRun":false,
             "options":{"apiVersion":"meta.k8s.io/v1","kind":"CreateOptions"},
             "object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m","namespace":"shop"},"data":{"a":"b"}},
             "oldObject":null}}""";

    private final CertificateAuthority authority = CertificateAuthority.create("ca", Instant.now(), Duration.ofDays(1));
    private final AtomicReference<ServerCertificate> certificate = new AtomicReference<>(issued(authority));

    private static ServerCertificate issued(CertificateAuthority authority) {
        return authority.issue("webhook", List.of("localhost", "127.0.0.1"), Instant.now(), Duration.ofDays(1));
    }

    private static AdmissionWebhookAdapter<ConfigMap> adapter() {
        return AdmissionWebhookAdapter.of(ConfigMap.class)
                .reconciler((reconciliation, map) -> {
                    if (map.getData().containsKey("bad")) {
                        return Admission.deny(422, "data.bad: must not be there");
                    }
                    map.setData(Map.of("a", "c"));
                    Admission.warn(reconciliation, "a is c now");
                    return Result.done();
                })
                .build();
    }

    private WebhookServer.Builder server() {
        return WebhookServer.builder()
                .certificate(certificate::get)
                .webhook("/maps", adapter())
                .webhook("/throws", request -> {
                    throw new IllegalStateException("broken");
                });
    }

    /** Trusts one authority alone. */
    private static HttpClient client(CertificateAuthority authority) {
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("ca", authority.certificate());
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return HttpClient.newBuilder().sslContext(context).build();
        } catch (java.security.GeneralSecurityException | IOException e) {
            throw new AssertionError(e);
        }
    }

    private static HttpRequest.Builder request(WebhookServer server, String path) {
        return HttpRequest.newBuilder(server.uri(path)).timeout(Duration.ofSeconds(20));
    }

    private HttpResponse<String> post(WebhookServer server, String path, String type, String body) throws Exception {
        try (HttpClient client = client(authority)) {
            return client.send(
                    request(server, path)
                            .header("Content-Type", type)
                            .POST(BodyPublishers.ofString(body))
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    @Test
    void aReviewIsAnswered() throws Exception {
        try (WebhookServer server = server().start()) {
            HttpResponse<String> answer = post(server, "/maps?timeout=10s", "application/json; charset=utf-8", REVIEW);
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
            String patch = Base64.getEncoder()
                    .encodeToString("[{\"op\":\"replace\",\"path\":\"/data/a\",\"value\":\"c\"}]"
                            .getBytes(StandardCharsets.UTF_8));
            assertThat(answer.body())
                    .startsWith("{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"response\":{")
                    .contains("\"uid\":\"u-1\"", "\"allowed\":true", "\"patchType\":\"JSONPatch\"")
                    .contains("\"patch\":\"" + patch + "\"", "\"warnings\":[\"a is c now\"]");
        }
    }

    @Test
    void aDenialIsAnAnswer() throws Exception {
        try (WebhookServer server = server().start()) {
            HttpResponse<String> answer =
                    post(server, "/maps", "application/json", REVIEW.replace("\"a\":\"b\"", "\"bad\":\"b\""));
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body())
                    .contains("\"allowed\":false", "\"code\":422", "data.bad: must not be there")
                    .doesNotContain("\"patch\"");
        }
    }

    @Test
    void invalidRequestsAreRefused() throws Exception {
        try (WebhookServer server = server().maxBodyBytes(2_000).start()) {
            assertRefused(post(server, "/maps", "application/json", "{"), 400, "the body is not JSON");
            assertRefused(post(server, "/maps", "application/json", ""), 400, "nothing with a kind");
            assertRefused(post(server, "/maps", "application/json", "[]"), 400, "nothing with a kind");
            assertRefused(
                    post(server, "/maps", "application/json", REVIEW.replace("io/v1\"", "io/v1beta1\"")),
                    400,
                    "must be AdmissionReview of admission.k8s.io/v1");
            assertRefused(
                    post(server, "/maps", "application/json", REVIEW.replace("\"request\"", "\"question\"")),
                    400,
                    "request is not there");
            assertRefused(
                    post(server, "/maps", "application/json", REVIEW.replace("\"uid\"", "\"id\"")),
                    400,
                    "request.uid is not there");
            assertRefused(
                    post(server, "/maps", "application/json", REVIEW.replace("\"dryRun\":false", "\"dryRun\":{}")),
                    400,
                    "request cannot be read");
            assertRefused(post(server, "/maps", "text/plain", REVIEW), 415, "must be application/json");
            assertRefused(post(server, "/other", "application/json", REVIEW), 404, "no webhook is at /other");
            assertRefused(
                    post(server, "/maps", "application/json", REVIEW + " ".repeat(3_000)), 413, "larger than 2000");
            assertRefused(post(server, "/throws", "application/json", REVIEW), 500, "broken");
        }
    }

    @Test
    void aBodyOfUnknownLengthIsLimited() throws Exception {
        try (WebhookServer server = server().maxBodyBytes(2_000).start();
                HttpClient client = client(authority)) {
            HttpResponse<String> answer = client.send(
                    request(server, "/maps")
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(
                                    " ".repeat(5_000).getBytes(StandardCharsets.US_ASCII))))
                            .build(),
                    BodyHandlers.ofString());
            assertRefused(answer, 413, "larger than 2000");
        }
    }

    @Test
    void onlyQuestionsAreAnswered() throws Exception {
        try (WebhookServer server = server().start();
                HttpClient client = client(authority)) {
            HttpResponse<String> get =
                    client.send(request(server, "/maps").GET().build(), BodyHandlers.ofString());
            assertRefused(get, 405, "questions come by POST");
            assertThat(get.headers().firstValue("Allow")).contains("POST");
            HttpResponse<String> health =
                    client.send(request(server, "/healthz").GET().build(), BodyHandlers.ofString());
            assertThat(health.statusCode()).isEqualTo(200);
            assertThat(health.body()).isEqualTo("ok");
        }
    }

    private static void assertRefused(HttpResponse<String> answer, int code, String message) {
        assertThat(answer.statusCode()).describedAs(answer.body()).isEqualTo(code);
        assertThat(answer.body())
                .contains("\"kind\":\"Status\"", "\"code\":" + code)
                .contains(message);
    }

    @Test
    void aRenewedCertificateIsUsedForNewConnections() throws Exception {
        CertificateAuthority other = CertificateAuthority.create("ca", Instant.now(), Duration.ofDays(1));
        try (WebhookServer server = server().start();
                HttpClient before = client(authority);
                HttpClient after = client(other)) {
            HttpRequest question = request(server, "/healthz").GET().build();
            assertThat(before.send(question, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
            assertThatThrownBy(() -> after.send(question, BodyHandlers.ofString()))
                    .isInstanceOf(SSLHandshakeException.class);
            certificate.set(issued(other));
            assertThat(after.send(question, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
            // existing connections stay
            assertThat(before.send(question, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    @Timeout(300)
    void closingWaitsForNothingElse() throws Exception {
        WebhookServer server = server().drain(Duration.ofHours(1)).start();
        try (HttpClient client = client(authority)) {
            HttpResponse<String> answer = client.send(
                    request(server, "/maps")
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString(REVIEW))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            // the client's connection is open
            server.close();
            server.close();
        }
    }

    @Test
    void closingWaitsForAnswers() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        WebhookServer server = WebhookServer.builder()
                .certificate(certificate::get)
                .webhook("/slow", request -> {
                    asked.countDown();
                    try {
                        goOn.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    AdmissionResponse response = new AdmissionResponse();
                    response.setAllowed(true);
                    return response;
                })
                .start();
        CompletableFuture<String> answer;
        try (HttpClient client = client(authority)) {
            answer = client.sendAsync(
                            request(server, "/slow")
                                    .header("Content-Type", "application/json")
                                    .POST(BodyPublishers.ofString(REVIEW))
                                    .build(),
                            BodyHandlers.ofString())
                    .thenApply(HttpResponse::body);
            assertThat(asked.await(120, TimeUnit.SECONDS))
                    .describedAs("%s", answer)
                    .isTrue();
            CompletableFuture<Void> closed = CompletableFuture.runAsync(server::close);
            assertThat(closed).isNotDone();
            goOn.countDown();
            closed.get(120, TimeUnit.SECONDS);
        }
        assertThat(answer.get(120, TimeUnit.SECONDS)).contains("\"uid\":\"u-1\"", "\"allowed\":true");
    }

    @Test
    void itListensOnTheLoopbackAddressByDefault() {
        try (WebhookServer server = server().start()) {
            assertThat(server.address().getAddress().isLoopbackAddress()).isTrue();
            assertThat(server.uri("/maps")).hasToString("https://localhost:" + server.port() + "/maps");
            assertThat(server.paths()).containsExactlyInAnyOrder("/maps", "/throws");
        }
    }

    @Test
    void missingSettingsAreReported() {
        assertThatThrownBy(() ->
                        WebhookServer.builder().webhook("/maps", adapter()).start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("WebhookServer must define certificate");
        assertThatThrownBy(() ->
                        WebhookServer.builder().certificate(certificate::get).start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("WebhookServer must define webhook");
        assertThatThrownBy(() -> server().webhook("/maps", adapter()))
                .hasMessageContaining("duplicate webhook at /maps");
        assertThatThrownBy(() -> server().webhook("maps", adapter())).hasMessageContaining("begin with a slash");
    }
}
