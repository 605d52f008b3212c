package dev.evenkeel.engine.internal.crd;

import dev.evenkeel.client.internal.tls.CertificateAuthority;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.schema.WebhookRules;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a definition's conversion between its versions. Fields are named as upstream names them.
 *
 * @param anyBundle true to accept a {@code caBundle} without readable certificates
 */
record ConversionRules(Field conversion, boolean anyBundle) {
    void check() {
        Field strategy = conversion.at("strategy");
        if (strategy.require()) {
            strategy.oneOf("None", "Webhook");
        }
        Field webhook = conversion.at("webhook");
        Field client = conversion.with(
                "webhookClientConfig", webhook.at("clientConfig").value());
        Field reviews = conversion.with(
                "conversionReviewVersions",
                webhook.at("conversionReviewVersions").value());
        if (strategy.text().equals("Webhook")) {
            client(client);
            if (reviews.array().isEmpty()) {
                reviews.missing();
            } else {
                WebhookRules.reviewVersions(reviews);
            }
            return;
        }
        String detail = "should not be set when strategy is not set to Webhook";
        if (client.given()) {
            client.forbidden(detail);
        }
        if (!reviews.array().isEmpty()) {
            reviews.forbidden(detail);
        }
    }

    private void client(Field client) {
        if (!client.given()) {
            client.missing("required when strategy is set to Webhook");
            return;
        }
        Field url = client.at("url");
        Field service = client.at("service");
        if (url.given() == service.given()) {
            client.missing("exactly one of url or service is required");
        } else if (url.given()) {
            WebhookRules.url(url);
        } else {
            WebhookRules.service(service);
        }
        if (!anyBundle && !hasReadableBundle(conversion.value())) {
            client.at("caBundle")
                    .invalid(
                            client.at("caBundle").text(),
                            "unable to load root certificates: unable to parse bytes as PEM block");
        }
    }

    /** Returns true if the {@code caBundle} of a conversion is absent or has certificates that can be read. */
    static boolean hasReadableBundle(@Nullable Object conversion) {
        String bundle = Json.string(conversion, "webhook", "clientConfig", "caBundle");
        try {
            String pem = new String(Base64.getDecoder().decode(bundle), StandardCharsets.ISO_8859_1);
            return pem.isEmpty() || !CertificateAuthority.trusted(pem).isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
