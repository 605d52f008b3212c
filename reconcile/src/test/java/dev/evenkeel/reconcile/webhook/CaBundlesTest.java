package dev.evenkeel.reconcile.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.StandaloneController;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.simulation.VirtualScheduler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class CaBundlesTest {
    private static final String NAME = "maps.example.com";
    private static final ObjectKey KEY = ObjectKey.cluster(NAME);

    private static MutatingWebhookConfiguration configuration(String name) {
        return WebhookConfigurations.of(name)
                .service(ObjectKey.of("shop", "hooks"), 443)
                .webhook(
                        "/maps",
                        AdmissionWebhookAdapter.of(ConfigMap.class)
                                .reconciler((reconciliation, map) -> Result.done())
                                .build())
                .mutating()
                .orElseThrow();
    }

    private static String bundle(Client client, ObjectKey key) {
        String text = client.get(MutatingWebhookConfiguration.class, key)
                .getWebhooks()
                .getFirst()
                .getClientConfig()
                .getCaBundle();
        return text == null ? "" : new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    }

    @Test
    void theBundleIsPutThereAndPutBack() {
        try (Engine engine = Engine.builder().executor(Runnable::run).build()) {
            Client client = engine.client();
            var unused = client.create(configuration(NAME));
            var unused2 = client.create(configuration("other.example.com"));
            VirtualScheduler scheduler = new VirtualScheduler(1, Instant.parse("2026-01-01T00:00:00Z"));
            WebhookCertificates certificates = WebhookCertificates.in(client, ObjectKey.of("default", "webhooks"))
                    .host("localhost")
                    .clock(scheduler.clock())
                    .build();
            Controller<MutatingWebhookConfiguration> controller = CaBundles.mutating(certificates, NAME);
            assertThat(controller.kinds(Relation.WATCHES))
                    .extracting(Object::toString)
                    .hasSize(1);
            try (StandaloneController<MutatingWebhookConfiguration> rehearsal = new StandaloneController<>(
                    controller, client, client, scheduler, (o, type, reason, action, message) -> {})) {
                Result result = rehearsal.reconcile(KEY);
                assertThat(bundle(client, KEY)).isEqualTo(certificates.caBundle());
                assertThat(result.delay().orElseThrow()).isBetween(Duration.ofDays(59), Duration.ofDays(61));
                assertThat(client.find(Secret.class, certificates.secret())).isPresent();

                MutatingWebhookConfiguration spoilt = client.get(MutatingWebhookConfiguration.class, KEY);
                spoilt.getWebhooks().getFirst().getClientConfig().setCaBundle(null);
                String version = client.update(spoilt).getMetadata().getResourceVersion();
                scheduler.settle();
                var unused3 = rehearsal.reconcile(KEY);
                assertThat(bundle(client, KEY)).isEqualTo(certificates.caBundle());
                String mended = client.get(MutatingWebhookConfiguration.class, KEY)
                        .getMetadata()
                        .getResourceVersion();
                assertThat(mended).isNotEqualTo(version);
                var unused4 = rehearsal.reconcile(KEY);
                assertThat(client.get(MutatingWebhookConfiguration.class, KEY)
                                .getMetadata()
                                .getResourceVersion())
                        .isEqualTo(mended);

                var unused5 = rehearsal.reconcile(ObjectKey.cluster("other.example.com"));
                assertThat(bundle(client, ObjectKey.cluster("other.example.com")))
                        .isEmpty();
            }
        }
    }

    @Test
    void caBundlesOfNoNamesAreRefused() {
        try (Engine engine = Engine.create()) {
            WebhookCertificates certificates = WebhookCertificates.in(
                            engine.client(), ObjectKey.of("default", "webhooks"))
                    .host("localhost")
                    .build();
            assertThatThrownBy(() -> CaBundles.validating(certificates)).hasMessageStartingWith("names:");
        }
    }
}
