package dev.evenkeel.reconcile.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WebhookCertificatesTest {
    private static final ObjectKey SECRET = ObjectKey.of("default", "webhooks");
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final Clock clock = clock(() -> now);
    private final Engine engine = Engine.builder().clock(clock).build();
    private final Client client = engine.client();

    private static Clock clock(InstantSource source) {
        return source.withZone(ZoneOffset.UTC);
    }

    private WebhookCertificates replica() {
        return WebhookCertificates.in(client, SECRET)
                .service(ObjectKey.of("shop", "hooks"))
                .clock(clock)
                .authorityLife(Duration.ofDays(360))
                .build();
    }

    private void pass(Duration time) {
        now = now.plus(time);
    }

    private static String issuer(ServerCertificate certificate) {
        return certificate.chain().getLast().getSerialNumber().toString();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void replicasShareTheFirstCertificate() throws Exception {
        ServerCertificate first = replica().get();
        assertThat(replica().get().certificate()).isEqualTo(first.certificate());
        assertThat(first.certificate().getSubjectAlternativeNames())
                .extracting(name -> (Object) name.get(1))
                .containsExactly("hooks.shop.svc");
        Secret secret = client.get(Secret.class, SECRET);
        assertThat(secret.getType()).isEqualTo("kubernetes.io/tls");
        assertThat(secret.getData()).containsOnlyKeys("tls.crt", "tls.key", "ca.crt", "ca.key");
        assertThat(replica().caBundle()).isEqualTo(replica().caBundle()).startsWith("-----BEGIN CERTIFICATE-----");
    }

    @Test
    void aCertificateIsRenewedAfterTwoThirdsOfItsLifeAndSharedWithTheOtherReplica() {
        WebhookCertificates one = replica();
        WebhookCertificates other = replica();
        ServerCertificate first = one.get();
        assertThat(other.get().certificate()).isEqualTo(first.certificate());
        pass(Duration.ofDays(59));
        assertThat(one.get()).isEqualTo(first);
        pass(Duration.ofDays(2));
        ServerCertificate second = one.get();
        assertThat(second.certificate()).isNotEqualTo(first.certificate());
        assertThat(other.get().certificate()).isEqualTo(second.certificate());
        assertThat(issuer(second)).isEqualTo(issuer(first));
        assertThat(second.ends()).isEqualTo(now.plus(Duration.ofDays(90)));
    }

    /** The certificate of any time is trusted with the bundle of some time before: at each moment of ten years. */
    @Test
    void anAuthorityIsTrustedBeforeItSignsAndAfterwards() {
        WebhookCertificates certificates = replica();
        String taken = certificates.caBundle();
        int issuers = 0;
        String issuer = issuer(certificates.get());
        for (int day = 0; day < 3650; day++) {
            String before = taken;
            pass(Duration.ofDays(1));
            ServerCertificate shown = certificates.get();
            assertThat(before)
                    .describedAs("day %s", day)
                    .contains(new ServerCertificate(
                                    shown.key(), java.util.List.of(shown.chain().getLast()))
                            .certificatePem());
            assertThat(shown.ends()).isAfter(now);
            assertThat(shown.chain().getLast().getNotAfter().toInstant()).isAfterOrEqualTo(shown.ends());
            taken = certificates.caBundle();
            if (!issuer(shown).equals(issuer)) {
                issuer = issuer(shown);
                issuers++;
            }
        }
        assertThat(issuers).isBetween(9, 16);
    }

    @Test
    void aSecretThatWasDeletedIsWrittenAgainAsItWas() {
        WebhookCertificates certificates = replica();
        ServerCertificate before = certificates.get();
        var unused = client.delete(Secret.class, SECRET);
        certificates.look();
        assertThat(certificates.get().certificate()).isEqualTo(before.certificate());
        assertThat(replica().get().certificate()).isEqualTo(before.certificate());
    }

    @Test
    void aSecretWithSomethingElseGetsCertificates() {
        Secret secret = new Secret();
        secret.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMetaBuilder()
                .withNamespace("default")
                .withName("webhooks")
                .build());
        secret.setData(
                Map.of("tls.crt", "bm8=", "tls.key", "bm8=", "ca.crt", "bm8=", "ca.key", "bm8=", "mine", "bm8="));
        var unused = client.create(secret);
        ServerCertificate made = replica().get();
        assertThat(replica().get().certificate()).isEqualTo(made.certificate());
        assertThat(client.get(Secret.class, SECRET).getData()).containsEntry("mine", "bm8=");
    }

    @Test
    void withoutTheApiThePresentOneStays() {
        WebhookCertificates certificates = replica();
        ServerCertificate first = certificates.get();
        engine.close();
        pass(Duration.ofDays(61));
        assertThat(certificates.get()).isEqualTo(first);
        assertThat(certificates.refreshesAt()).isEqualTo(now.plus(Duration.ofMinutes(1)));
    }

    @Test
    void anotherHostIsAnotherCertificate() {
        ServerCertificate first = replica().get();
        WebhookCertificates more = WebhookCertificates.in(client, SECRET)
                .service(ObjectKey.of("shop", "hooks"))
                .host("localhost")
                .clock(clock)
                .build();
        assertThat(more.get().certificate()).isNotEqualTo(first.certificate());
        assertThat(issuer(more.get())).isEqualTo(issuer(first));
    }

    @Test
    void missingSettingsAreReported() {
        assertThatThrownBy(() -> WebhookCertificates.in(client, SECRET).build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("WebhookCertificates must define host");
    }
}
