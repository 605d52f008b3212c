package dev.evenkeel.server;

import static dev.evenkeel.server.Fixture.MAPS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.User;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayInputStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Date;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;

class TlsTest {
    private static HttpClient trusting(Server server) throws Exception {
        return HttpClient.newBuilder().sslContext(trust(server)).build();
    }

    /** A context that trusts this server alone. */
    static SSLContext trust(Server server) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("ca", certificate(server.caCertificate()));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static X509Certificate certificate(String pem) throws Exception {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void theCertificateIsTrustedByItsAuthorityAndHttp2IsUsed() throws Exception {
        try (Fixture start = new Fixture(builder -> builder, HttpClient.newHttpClient());
                HttpClient http = trusting(start.server)) {
            HttpResponse<String> answer = http.send(
                    start.request("/api/v1/namespaces")
                            .header("Authorization", "Bearer " + start.server.token())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
        }
    }

    @Test
    void watchesRunOverHttp2() throws Exception {
        try (Fixture start = new Fixture(builder -> builder, HttpClient.newHttpClient());
                HttpClient http = trusting(start.server)) {
            String bearer = "Bearer " + start.server.token();
            HttpResponse<java.util.stream.Stream<String>> watch = http.send(
                    start.request(MAPS + "?watch=1&timeoutSeconds=2&resourceVersion=1&fieldSelector=metadata.name%3Da")
                            .header("Authorization", bearer)
                            .build(),
                    HttpResponse.BodyHandlers.ofLines());
            assertThat(watch.version()).isEqualTo(HttpClient.Version.HTTP_2);
            HttpResponse<String> created = http.send(
                    start.request(MAPS)
                            .header("Authorization", bearer)
                            .POST(java.net.http.HttpRequest.BodyPublishers.ofString(Fixture.configMap("a", "v")))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(created.statusCode()).isEqualTo(201);
            // the stream ends without an error at its timeout
            assertThat(watch.body()).singleElement().asString().startsWith("{\"type\":\"ADDED\"");
        }
    }

    @Test
    void aWebSocketMayHaveItsTokenAsASubprotocol() {
        try (HttpClient http = HttpClient.newHttpClient();
                Fixture fixture = new Fixture(builder -> builder.tls(false).token("t", User.ADMIN), http)) {
            java.net.URI uri =
                    java.net.URI.create(fixture.server.url().toString().replace("http", "ws") + MAPS
                            + "?watch=1&timeoutSeconds=1&labelSelector=none");
            java.util.concurrent.CompletableFuture<Integer> closed = new java.util.concurrent.CompletableFuture<>();
            java.net.http.WebSocket socket = http.newWebSocketBuilder()
                    .subprotocols("v4.channel.k8s.io", "base64url.bearer.authorization.k8s.io.dA")
                    .buildAsync(uri, new java.net.http.WebSocket.Listener() {
                        @Override
                        public java.util.concurrent.CompletionStage<?> onClose(
                                java.net.http.WebSocket webSocket, int statusCode, String reason) {
                            closed.complete(statusCode);
                            return closed;
                        }
                    })
                    .join();
            assertThat(socket.getSubprotocol()).isEqualTo("v4.channel.k8s.io");
            assertThat(closed.join()).isEqualTo(1000);
            // or else closing the client would wait minutes for the socket
            socket.abort();
        }
    }

    @Test
    void withoutATokenOnlyHealthAndVersionAnswer() throws Exception {
        try (Fixture start = new Fixture(builder -> builder, HttpClient.newHttpClient());
                HttpClient http = trusting(start.server);
                Fixture fixture = new Fixture(builder -> builder.tls(false).token("t", User.ADMIN), http)) {
            for (String path : new String[] {"/healthz", "/livez", "/readyz", "/version"}) {
                assertThat(fixture.get(path).statusCode()).isEqualTo(200);
            }
            for (String path : new String[] {"/api", "/apis", MAPS, "/metrics", "/openapi/v3", "/", "/nope"}) {
                HttpResponse<String> answer = fixture.get(path);
                assertThat(answer.statusCode()).as(path).isEqualTo(401);
                assertThat(answer.body()).contains("\"reason\":\"Unauthorized\"");
            }
            assertThat(fixture.get(MAPS, "Authorization", "Bearer wrong").statusCode())
                    .isEqualTo(401);
            assertThat(fixture.get(MAPS, "Authorization", "Bearer t").statusCode())
                    .isEqualTo(200);
            assertThat(fixture.get(MAPS + "?access_token=t").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void certificatesAreDatedByTheClock() throws Exception {
        Instant then = Instant.parse("2049-12-31T00:00:00Z");
        try (Fixture fixture =
                new Fixture(builder -> builder.clock(Clock.fixed(then, ZoneOffset.UTC)), HttpClient.newHttpClient())) {
            X509Certificate ca = certificate(fixture.server.caCertificate());
            assertThat(ca.getNotBefore()).isEqualTo(Date.from(then.minusSeconds(3600)));
            assertThat(ca.getNotAfter()).isEqualTo(Date.from(then.plusSeconds(365L * 24 * 3600)));
            assertThat(ca.getBasicConstraints()).isGreaterThanOrEqualTo(0);
            ca.verify(ca.getPublicKey());
        }
    }

    @Test
    void theKubeconfigIsSufficientForAClient() {
        try (Fixture fixture = new Fixture(builder -> builder, HttpClient.newHttpClient());
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(Config.fromKubeconfig(fixture.server.kubeconfig()))
                        .build();
                KubernetesClient other = new KubernetesClientBuilder()
                        .withConfig(Config.fromKubeconfig(fixture.server.kubeconfig("team-a")))
                        .build()) {
            client.configMaps()
                    .inNamespace("default")
                    .resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName("a")
                            .endMetadata()
                            .addToData("k", "v")
                            .build())
                    .create();
            assertThat(client.configMaps()
                            .inNamespace("default")
                            .withName("a")
                            .get()
                            .getData())
                    .containsEntry("k", "v");
            assertThat(other.configMaps().inNamespace("default").withName("a").get())
                    .isNull();
        }
    }
}
