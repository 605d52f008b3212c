package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.syntax.WebUrl;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.Set;

/** The rules that webhooks of admission and of conversion share. */
public final class WebhookRules {
    private static final String URL_FORM = "; desired format: https://host[/path]";

    private WebhookRules() {}

    /** Checks the address of a webhook. */
    public static void url(Field field) {
        WebUrl url;
        try {
            url = WebUrl.parse(field.text());
        } catch (URISyntaxException e) {
            field.missing("url must be a valid URL: " + WebUrl.message(e) + URL_FORM);
            return;
        }
        if (!url.scheme().equals("https")) {
            field.invalid(url.scheme(), "'https' is the only allowed URL scheme" + URL_FORM);
        }
        if (url.host().isEmpty()) {
            field.invalid("", "host must be specified" + URL_FORM);
        }
        url.user().ifPresent(user -> field.invalid(user, "user information is not permitted in the URL"));
        if (!url.fragment().isEmpty()) {
            field.invalid(url.fragment(), "fragments are not permitted in the URL");
        }
        if (!url.query().isEmpty()) {
            field.invalid(url.query(), "query parameters are not permitted in the URL");
        }
    }

    /** Checks the versions of reviews that a webhook understands. */
    public static void reviewVersions(Field versions) {
        Set<String> seen = new HashSet<>();
        for (Field version : versions.items()) {
            if (seen.add(version.text())) {
                version.obeys(Names::label1035);
            } else {
                version.invalid("duplicate version");
            }
        }
        if (!seen.contains("v1") && !seen.contains("v1beta1")) {
            versions.invalid("must include at least one of v1, v1beta1");
        }
    }

    /** Checks a service. */
    public static void service(Field service) {
        Field name = service.at("name");
        Field namespace = service.at("namespace");
        // upstream's errors confuse the two
        if (namespace.text().isEmpty()) {
            name.missing();
        }
        if (name.text().isEmpty()) {
            namespace.missing();
        }
        service.at("port").between(1, 65_535, "port is not valid: must be between 1 and 65535, inclusive");
        path(service.at("path"));
    }

    private static void path(Field path) {
        String text = path.text();
        if (text.isEmpty() || text.equals("/")) {
            return;
        }
        if (!text.startsWith("/")) {
            path.invalid("must start with a '/'");
        }
        // upstream leaves out the first character, whatever it is
        String[] segments = text.substring(1).replaceFirst("/$", "").split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            String segment = "segment[" + i + "]";
            if (segments[i].isEmpty()) {
                path.invalid(segment + " may not be empty");
            } else {
                Names.subdomain(segments[i]).forEach(wrong -> path.invalid(segment + ": " + wrong));
            }
        }
    }
}
