package dev.evenkeel.engine.internal.crd;

import dev.evenkeel.client.internal.tls.CertificateAuthority;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Names;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The rules of a definition's conversion between its versions. Fields are named as upstream names them. */
final class ConversionRules {
    private static final String CLIENT = "spec.conversion.webhookClientConfig";
    private static final String REVIEWS = "spec.conversion.conversionReviewVersions";

    private final JsonObject conversion;
    private final boolean anyBundle;
    private final Consumer<FieldError> errors;

    /**
     * Checks a conversion.
     *
     * @param anyBundle true to accept a {@code caBundle} without readable certificates
     */
    ConversionRules(JsonObject conversion, boolean anyBundle, Consumer<FieldError> errors) {
        this.conversion = conversion;
        this.anyBundle = anyBundle;
        this.errors = errors;
    }

    void check() {
        String strategy = conversion.string("strategy");
        if (strategy.isEmpty()) {
            errors.accept(FieldError.required("spec.conversion.strategy", ""));
        } else if (!strategy.equals("None") && !strategy.equals("Webhook")) {
            errors.accept(FieldError.notSupported("spec.conversion.strategy", strategy, List.of("None", "Webhook")));
        }
        Object client = conversion.at("webhook", "clientConfig");
        List<String> reviews = conversion.strings("webhook", "conversionReviewVersions");
        if (strategy.equals("Webhook")) {
            client(client);
            reviews(reviews);
            return;
        }
        String detail = "should not be set when strategy is not set to Webhook";
        if (client != null) {
            errors.accept(FieldError.forbidden(CLIENT, detail));
        }
        if (!reviews.isEmpty()) {
            errors.accept(FieldError.forbidden(REVIEWS, detail));
        }
    }

    private void client(@Nullable Object client) {
        if (client == null) {
            errors.accept(FieldError.required(CLIENT, "required when strategy is set to Webhook"));
            return;
        }
        Object url = Json.at(client, "url");
        Object service = Json.at(client, "service");
        if ((url == null) == (service == null)) {
            errors.accept(FieldError.required(CLIENT, "exactly one of url or service is required"));
        } else if (url != null) {
            url(String.valueOf(url));
        } else {
            service(service);
        }
        if (!anyBundle && !hasReadableBundle(conversion)) {
            errors.accept(FieldError.invalid(
                    CLIENT + ".caBundle",
                    Json.string(client, "caBundle"),
                    "unable to load root certificates: unable to parse bytes as PEM block"));
        }
    }

    private void url(String url) {
        String form = "; desired format: https://host[/path]";
        String field = CLIENT + ".url";
        int schemeEnd = url.indexOf("://");
        String rest = schemeEnd < 0 ? url : url.substring(schemeEnd + 3);
        String authority = rest.split("[/?#]", 2)[0];
        if (!url.startsWith("https://")) {
            errors.accept(FieldError.invalid(
                    field,
                    schemeEnd < 0 ? "" : url.substring(0, schemeEnd),
                    "'https' is the only allowed URL scheme" + form));
        }
        if (authority.isEmpty() || schemeEnd < 0) {
            errors.accept(FieldError.invalid(field, "", "host must be specified" + form));
        }
        if (authority.indexOf('@') >= 0) {
            errors.accept(FieldError.invalid(
                    field,
                    authority.substring(0, authority.indexOf('@')),
                    "user information is not permitted in the URL"));
        }
        int fragment = url.indexOf('#');
        if (fragment >= 0) {
            errors.accept(
                    FieldError.invalid(field, url.substring(fragment + 1), "fragments are not permitted in the URL"));
        }
        String address = fragment < 0 ? url : url.substring(0, fragment);
        int query = address.indexOf('?');
        if (query >= 0) {
            errors.accept(FieldError.invalid(
                    field, address.substring(query + 1), "query parameters are not permitted in the URL"));
        }
    }

    private void service(@Nullable Object service) {
        String field = CLIENT + ".service";
        if (Json.string(service, "name").isEmpty()) {
            errors.accept(FieldError.required(field + ".name", "service name is required"));
        }
        if (Json.string(service, "namespace").isEmpty()) {
            errors.accept(FieldError.required(field + ".namespace", "service namespace is required"));
        }
        long port = Json.at(service, "port") instanceof Long number ? number : 443;
        if (port < 1 || port > 65535) {
            errors.accept(FieldError.invalid(
                    field + ".port", port, "port is not valid: must be between 1 and 65535, inclusive"));
        }
        if (Json.at(service, "path") instanceof String path && !path.isEmpty() && !path.equals("/")) {
            path(field + ".path", path);
        }
    }

    private void path(String field, String path) {
        if (!path.startsWith("/")) {
            errors.accept(FieldError.invalid(field, path, "must start with a '/'"));
        }
        String inner =
                path.substring(path.startsWith("/") ? 1 : 0, path.endsWith("/") ? path.length() - 1 : path.length());
        int i = 0;
        for (String step : inner.split("/", -1)) {
            if (step.isEmpty()) {
                errors.accept(FieldError.invalid(field, path, "segment[" + i + "] may not be empty"));
            } else {
                for (String wrong : Names.subdomain(step)) {
                    errors.accept(FieldError.invalid(field, path, "segment[" + i + "]: " + wrong));
                }
            }
            i++;
        }
    }

    private void reviews(List<String> versions) {
        if (versions.isEmpty()) {
            errors.accept(FieldError.required(REVIEWS, ""));
            return;
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < versions.size(); i++) {
            String field = REVIEWS + "[" + i + "]";
            String version = versions.get(i);
            if (!seen.add(version)) {
                errors.accept(FieldError.invalid(field, version, "duplicate version"));
                continue;
            }
            Names.label1035(version).forEach(wrong -> errors.accept(FieldError.invalid(field, version, wrong)));
        }
        if (!seen.contains("v1") && !seen.contains("v1beta1")) {
            errors.accept(FieldError.invalid(REVIEWS, versions, "must include at least one of v1, v1beta1"));
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
