package dev.evenkeel.reconcile.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.internal.tls.CertificateAuthority;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WebhookSecretTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final CertificateAuthority AUTHORITY = authority();
    private static final Secret EMPTY = new SecretBuilder()
            .withNewMetadata()
            .withName("webhooks")
            .endMetadata()
            .addToData("mine", "bm8=")
            .build();

    private static CertificateAuthority authority() {
        return CertificateAuthority.create("ca", NOW, Duration.ofDays(2));
    }

    private static WebhookSecret holding(Optional<CertificateAuthority> next, Optional<CertificateAuthority> previous) {
        return new WebhookSecret(
                AUTHORITY.issue("server", List.of("localhost"), NOW, Duration.ofDays(1)), AUTHORITY, next, previous);
    }

    @Test
    void aWrittenSecretIsReadAgain() {
        CertificateAuthority next = authority();
        WebhookSecret first = holding(Optional.of(next), Optional.empty());
        Secret written = first.written(EMPTY);
        assertThat(WebhookSecret.read(written)).map(WebhookSecret::bundle).contains(first.bundle());
        assertThat(first.bundle()).isEqualTo(AUTHORITY.certificatePem() + next.certificatePem());
        WebhookSecret second = holding(Optional.empty(), Optional.of(next));
        assertThat(WebhookSecret.read(second.written(written)))
                .map(WebhookSecret::bundle)
                .contains(next.certificatePem() + AUTHORITY.certificatePem());
        assertThat(second.written(written).getData())
                .containsEntry("mine", "bm8=")
                .doesNotContainKeys("next-ca.crt", "next-ca.key");
    }

    @Test
    void aMissingOrInvalidSecretIsNotRead() {
        Secret written = holding(Optional.empty(), Optional.empty()).written(EMPTY);
        assertThat(WebhookSecret.read(EMPTY)).isEmpty();
        for (String field : List.of("tls.crt", "tls.key", "ca.crt", "ca.key")) {
            assertThat(WebhookSecret.read(
                            new SecretBuilder(written).removeFromData(field).build()))
                    .as("without " + field)
                    .isEmpty();
            assertThat(WebhookSecret.read(
                            new SecretBuilder(written).addToData(field, "bm8=").build()))
                    .as("with another " + field)
                    .isEmpty();
        }
    }
}
