package dev.evenkeel.reconcile.webhook;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.client.internal.tls.CertificateAuthority;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The content of the Secret of {@link WebhookCertificates}.
 *
 * @param server the presented certificate
 * @param authority the authority that signs
 * @param next the authority that will sign
 * @param previous the authority that signed before, trusted until it expires
 */
record WebhookSecret(
        ServerCertificate server,
        CertificateAuthority authority,
        Optional<CertificateAuthority> next,
        Optional<CertificateAuthority> previous) {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookCertificates.class);

    /** Returns the content of a Secret; empty when it is incomplete or malformed. */
    static Optional<WebhookSecret> read(Secret stored) {
        Map<String, String> data = Objects.requireNonNullElse(stored.getData(), Map.of());
        try {
            Optional<CertificateAuthority> authority = authority(data, "ca");
            return authority.isEmpty() || !data.containsKey("tls.crt") || !data.containsKey("tls.key")
                    ? Optional.empty()
                    : Optional.of(new WebhookSecret(
                            ServerCertificate.of(text(data, "tls.crt"), text(data, "tls.key")),
                            authority.get(),
                            authority(data, "next-ca"),
                            authority(data, "previous-ca")));
        } catch (IllegalArgumentException e) {
            LOG.atWarn()
                    .addKeyValue("secret", ObjectKey.of(stored))
                    .setCause(e)
                    .log("the Secret has no certificates of webhooks, and gets new ones");
            return Optional.empty();
        }
    }

    /** Returns the trusted authorities, in PEM. */
    String bundle() {
        return Stream.of(previous, Optional.of(authority), next)
                .flatMap(Optional::stream)
                .map(CertificateAuthority::certificatePem)
                .collect(Collectors.joining());
    }

    /** Returns the Secret with this content, in addition to its other fields. */
    Secret written(Secret before) {
        Map<String, String> data =
                new HashMap<>(Objects.requireNonNullElse(before.getData(), Map.<String, String>of()));
        putText(data, "tls.crt", Optional.of(server.certificatePem()));
        putText(data, "tls.key", Optional.of(server.keyPem()));
        put(data, "ca", Optional.of(authority));
        put(data, "next-ca", next);
        put(data, "previous-ca", previous);
        return new SecretBuilder(before).withData(data).build();
    }

    private static void put(Map<String, String> data, String name, Optional<CertificateAuthority> authority) {
        putText(data, name + ".crt", authority.map(CertificateAuthority::certificatePem));
        putText(data, name + ".key", authority.map(CertificateAuthority::keyPem));
    }

    private static void putText(Map<String, String> data, String name, Optional<String> text) {
        text.ifPresentOrElse(
                pem -> data.put(name, Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8))),
                () -> data.remove(name));
    }

    private static Optional<CertificateAuthority> authority(Map<String, String> data, String name) {
        return data.containsKey(name + ".crt") && data.containsKey(name + ".key")
                ? Optional.of(CertificateAuthority.of(text(data, name + ".crt"), text(data, name + ".key")))
                : Optional.empty();
    }

    private static String text(Map<String, String> data, String name) {
        return new String(Base64.getDecoder().decode(data.getOrDefault(name, "")), StandardCharsets.UTF_8);
    }
}
