package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.internal.tls.CertificateAuthority;
import dev.evenkeel.controller.Result;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.HttpAdmissionCaller;
import dev.evenkeel.reconcile.webhook.Admission;
import dev.evenkeel.reconcile.webhook.AdmissionWebhookAdapter;
import dev.evenkeel.reconcile.webhook.WebhookCertificates;
import dev.evenkeel.reconcile.webhook.WebhookConfigurations;
import dev.evenkeel.reconcile.webhook.WebhookServer;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A webhook composed of sub-reconcilers, called over HTTPS by the engine, for objects that are written over HTTP. */
class WebhooksOverHttpTest {
    private static final String NAME = "maps.example.com";

    private static AdmissionWebhookAdapter<ConfigMap> adapter() {
        return AdmissionWebhookAdapter.of(ConfigMap.class)
                .reconciler((reconciliation, map) -> {
                    if (map.getData() == null || map.getData().containsKey("bad")) {
                        return Admission.deny(422, "data.bad: must not be there");
                    }
                    Map<String, String> data = new HashMap<>(map.getData());
                    data.put("by", "webhook");
                    map.setData(data);
                    Admission.warn(reconciliation, "data.by is set");
                    return Result.done();
                })
                .build();
    }

    private static Engine engine() {
        return Engine.builder().webhooks(HttpAdmissionCaller.loopback()).build();
    }

    private static HttpResponse<String> create(Server server, String name, String data) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create(server.url() + "/api/v1/namespaces/default/configmaps"))
                            .timeout(Duration.ofSeconds(30))
                            .header("Content-Type", "application/json")
                            .header("Authorization", "Bearer " + server.token())
                            .POST(BodyPublishers.ofString("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":"
                                    + "{\"name\":\"" + name + "\"},\"data\":" + data + "}"))
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .addToData("a", "b")
                .build();
    }

    @Test
    void webhooksChangeAndRefuseObjects() throws Exception {
        try (Engine engine = engine();
                Server server = Server.builder(engine).tls(false).start()) {
            WebhookCertificates certificates = WebhookCertificates.in(
                            engine.client(), ObjectKey.of("default", "webhooks"))
                    .host("localhost")
                    .build();
            try (WebhookServer webhooks = WebhookServer.builder()
                    .certificate(certificates)
                    .webhook("/maps", adapter())
                    .start()) {
                var _ = engine.client()
                        .create(WebhookConfigurations.of(NAME)
                                .url(webhooks.uri(""))
                                .caBundle(certificates.caBundle())
                                .webhook("/maps", adapter())
                                .mutating()
                                .orElseThrow());
                HttpResponse<String> created = create(server, "good", "{\"a\":\"b\"}");
                assertThat(created.statusCode()).describedAs(created.body()).isEqualTo(201);
                assertThat(created.body()).contains("\"by\":\"webhook\"");
                assertThat(created.headers().allValues("Warning")).containsExactly("299 - \"data.by is set\"");
                HttpResponse<String> refused = create(server, "wrong", "{\"bad\":\"b\"}");
                assertThat(refused.statusCode()).isEqualTo(422);
                assertThat(refused.body())
                        .contains(
                                "admission webhook \\\"maps.maps.example.com\\\" denied the request: data.bad: must not be there",
                                "\"reason\":\"Invalid\"");
            }
        }
    }

    @Test
    void aRenewedCertificateKeepsWorking() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.now().minus(Duration.ofDays(61)));
        InstantSource source = now::get;
        Clock clock = source.withZone(ZoneOffset.UTC);
        try (Engine engine = engine()) {
            Client client = engine.client();
            WebhookCertificates certificates = WebhookCertificates.in(client, ObjectKey.of("default", "webhooks"))
                    .host("localhost")
                    .clock(clock)
                    .build();
            try (WebhookServer webhooks = WebhookServer.builder()
                    .certificate(certificates)
                    .webhook("/maps", adapter())
                    .start()) {
                var _ = client.create(WebhookConfigurations.of(NAME)
                        .url(webhooks.uri(""))
                        .caBundle(certificates.caBundle())
                        .webhook("/maps", adapter())
                        .mutating()
                        .orElseThrow());
                var before = certificates.get();
                assertThat(client.create(map("before")).getData()).containsKey("by");
                now.set(Instant.now());
                assertThat(client.create(map("after")).getData()).containsKey("by");
                assertThat(certificates.get().certificate()).isNotEqualTo(before.certificate());
                // new connections see the new certificate
                try (Engine other = engine()) {
                    var _ = other.client()
                            .create(WebhookConfigurations.of(NAME)
                                    .url(webhooks.uri(""))
                                    .caBundle(certificates.caBundle())
                                    .webhook("/maps", adapter())
                                    .mutating()
                                    .orElseThrow());
                    assertThat(other.client().create(map("other")).getData()).containsKey("by");
                }
            }
        }
    }

    @Test
    void anUntrustedWebhookIsNotCalled() {
        CertificateAuthority stranger = CertificateAuthority.create("ca", Instant.now(), Duration.ofDays(1));
        try (Engine engine = engine();
                WebhookServer webhooks = WebhookServer.builder()
                        .certificate(WebhookCertificates.in(engine.client(), ObjectKey.of("default", "webhooks"))
                                .host("localhost")
                                .build())
                        .webhook("/maps", adapter())
                        .start()) {
            var _ = engine.client()
                    .create(WebhookConfigurations.of(NAME)
                            .url(webhooks.uri(""))
                            .caBundle(stranger.certificatePem())
                            .webhook("/maps", adapter())
                            .mutating()
                            .orElseThrow());
            assertRefused(
                    engine,
                    "failed calling webhook \"maps.maps.example.com\": failed to call webhook: Post \""
                            + webhooks.uri("/maps") + "?timeout=10s\": ");
        }
    }

    private static void assertRefused(Engine engine, String message) {
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> engine.client().create(map("m")))
                .hasMessageStartingWith("Internal error occurred: " + message);
    }

    @Test
    void anUnreachableWebhookIsHandledByItsFailurePolicy() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        for (String policy : new String[] {"Ignore", "Fail"}) {
            try (Engine engine = engine()) {
                var _ = engine.client()
                        .create(WebhookConfigurations.of(NAME)
                                .url(URI.create("https://127.0.0.1:" + port))
                                .failurePolicy(policy)
                                .webhook("/maps", adapter())
                                .mutating()
                                .orElseThrow());
                if (policy.equals("Fail")) {
                    assertRefused(engine, "failed calling webhook");
                } else {
                    assertThat(engine.client().create(map("m")).getData()).isEqualTo(Map.of("a", "b"));
                }
            }
        }
    }

    @Test
    void onlyThisMachineIsCalledByDefault() {
        for (String host : new String[] {"169.254.169.254", "example.com", "10.0.0.1"}) {
            try (Engine engine = engine()) {
                var _ = engine.client()
                        .create(WebhookConfigurations.of(NAME)
                                .url(URI.create("https://" + host))
                                .webhook("/maps", adapter())
                                .mutating()
                                .orElseThrow());
                assertRefused(
                        engine,
                        "failed calling webhook \"maps.maps.example.com\": failed to call webhook: url https://" + host
                                + "/maps is not on this machine");
            }
        }
    }

    @Test
    void noServerIsNeededInOneProcess() {
        AdmissionWebhookAdapter<ConfigMap> adapter = adapter();
        try (Engine engine = Engine.builder().webhook("/maps", adapter::review).build()) {
            WebhookConfigurations.of(NAME)
                    .service(ObjectKey.of("default", "webhooks"), 443)
                    .webhook("/maps", adapter)
                    .objects()
                    .forEach(configuration -> engine.client().create(configuration));
            assertThat(engine.client().create(map("m")).getData()).containsEntry("by", "webhook");
        }
    }
}
