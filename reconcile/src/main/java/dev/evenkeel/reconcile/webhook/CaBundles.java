package dev.evenkeel.reconcile.webhook;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Mapper;
import dev.evenkeel.controller.Placement;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Controllers that keep the {@code caBundle} of webhook configurations up to date: when authorities change, and when a
 * configuration is applied without one.
 *
 * <p>They run in each process, so that each reads the Secret when it changes; all write the same. They watch the
 * configurations of the given names only, and change nothing else of them.
 */
public final class CaBundles {
    private CaBundles() {}

    /** Returns a controller for configurations of mutating webhooks. */
    public static Controller<MutatingWebhookConfiguration> mutating(WebhookCertificates certificates, String... names) {
        return controller(
                MutatingWebhookConfiguration.class,
                certificates,
                Set.of(names),
                configuration ->
                        Objects.requireNonNullElse(configuration.getWebhooks(), List.<MutatingWebhook>of()).stream()
                                .map(MutatingWebhook::getClientConfig));
    }

    /** Returns a controller for configurations of validating webhooks. */
    public static Controller<ValidatingWebhookConfiguration> validating(
            WebhookCertificates certificates, String... names) {
        return controller(
                ValidatingWebhookConfiguration.class,
                certificates,
                Set.of(names),
                configuration ->
                        Objects.requireNonNullElse(configuration.getWebhooks(), List.<ValidatingWebhook>of()).stream()
                                .map(ValidatingWebhook::getClientConfig));
    }

    private static <T extends HasMetadata> Controller<T> controller(
            Class<T> type,
            WebhookCertificates certificates,
            Set<String> names,
            Function<T, Stream<WebhookClientConfig>> clients) {
        if (names.isEmpty()) {
            throw new IllegalArgumentException(
                    "names: must have at least one configuration whose caBundle is maintained");
        }
        List<ObjectKey> keys = names.stream().map(ObjectKey::cluster).toList();
        return Controller.of(Kind.of(type), reconciliation -> reconcile(reconciliation, certificates, names, clients))
                .name("caBundle of " + Kind.of(type).plural())
                .placement(Placement.everyServer())
                .watches(
                        Secret.class,
                        new Mapper<>(
                                "certificates of webhooks",
                                (watched, caches) -> watched.key().equals(certificates.secret()) ? keys : List.of()));
    }

    private static <T extends HasMetadata> Result reconcile(
            Reconciliation<T> reconciliation,
            WebhookCertificates certificates,
            Set<String> names,
            Function<T, Stream<WebhookClientConfig>> clients) {
        if (!names.contains(reconciliation.key().name())) {
            return Result.done();
        }
        certificates.look();
        reconciliation.resource().ifPresent(configuration -> {
            String bundle =
                    Base64.getEncoder().encodeToString(certificates.caBundle().getBytes(StandardCharsets.UTF_8));
            List<WebhookClientConfig> wrong = clients.apply(configuration)
                    .filter(Objects::nonNull)
                    .filter(client -> !bundle.equals(client.getCaBundle()))
                    .toList();
            if (!wrong.isEmpty()) {
                wrong.forEach(client -> client.setCaBundle(bundle));
                T unused = reconciliation.client().update(configuration);
            }
        });
        Duration left = Duration.between(reconciliation.now(), certificates.refreshesAt());
        return Result.after(left.isPositive() ? left : Duration.ofSeconds(1));
    }
}
