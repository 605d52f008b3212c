package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.cel.Condition;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Names;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Validating and mutating webhook configurations. */
record WebhookConfigurationStrategy(KindFacts facts) implements KindStrategy {
    private static final String[] OPERATIONS = {"*", "CONNECT", "CREATE", "DELETE", "UPDATE"};
    private static final String URL_FORM = "; desired format: https://host[/path]";
    private static final int MAX_CONDITIONS = 64;

    @Override
    public void applyDefaults(JsonObject tree) {
        boolean mutating = facts.type().kind().startsWith("Mutating");
        tree.objects("webhooks").forEach(webhook -> {
            webhook.findObject("clientConfig", "service").ifPresent(AdmissionConfigurations::servicePort);
            webhook.setIfEmpty("failurePolicy", "Fail");
            AdmissionConfigurations.match(webhook, List.of("rules"));
            webhook.putIfAbsent("timeoutSeconds", 10L);
            if (mutating) {
                webhook.setIfEmpty("reinvocationPolicy", "Never");
            }
        });
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        List<@Nullable Object> webhooks = tree.array("webhooks");
        for (int i = 0; i < webhooks.size(); i++) {
            String at = "webhooks[" + i + "]";
            webhook(webhooks.get(i), at, errors);
            versions(Trees.list(webhooks.get(i), "admissionReviewVersions"), at + ".admissionReviewVersions", errors);
        }
        errors.unique("webhooks", webhooks, "name");
    }

    private static void webhook(@Nullable Object webhook, String at, FieldErrors errors) {
        name(Json.string(webhook, "name"), at + ".name", errors);
        List<@Nullable Object> rules = Trees.list(webhook, "rules");
        for (int i = 0; i < rules.size(); i++) {
            rule(rules.get(i), at + ".rules[" + i + "]", errors);
        }
        errors.oneOf(at + ".failurePolicy", Json.string(webhook, "failurePolicy"), "Fail", "Ignore");
        errors.oneOf(at + ".matchPolicy", Json.string(webhook, "matchPolicy"), "Equivalent", "Exact");
        String effects = Json.string(webhook, "sideEffects");
        if (effects.isEmpty()) {
            errors.required(at + ".sideEffects", "must specify one of None, NoneOnDryRun");
        } else {
            errors.oneOf(at + ".sideEffects", effects, "None", "NoneOnDryRun");
        }
        if (Json.at(webhook, "timeoutSeconds") instanceof Long seconds && (seconds < 1 || seconds > 30)) {
            errors.invalid(at + ".timeoutSeconds", seconds, "the timeout value must be between 1 and 30 seconds");
        }
        for (String selector : List.of("namespaceSelector", "objectSelector")) {
            SelectorValidation.selector(Trees.object(webhook, selector), at + "." + selector, errors);
        }
        errors.oneOfIfGiven(
                at + ".reinvocationPolicy", Json.string(webhook, "reinvocationPolicy"), "IfNeeded", "Never");
        client(webhook, at + ".clientConfig", errors);
        conditions(Trees.list(webhook, "matchConditions"), at + ".matchConditions", errors);
    }

    private static void name(String name, String at, FieldErrors errors) {
        if (name.isEmpty()) {
            errors.required(at);
            return;
        }
        List<String> wrong = Names.subdomain(name);
        errors.invalid(at, name, wrong);
        if (wrong.isEmpty() && name.split("\\.", -1).length < 3) {
            errors.invalid(at, name, "should be a domain with at least three segments separated by dots");
        }
    }

    private static void versions(List<@Nullable Object> versions, String at, FieldErrors errors) {
        if (versions.isEmpty()) {
            errors.required(at, "must specify one of v1, v1beta1");
            return;
        }
        Set<String> seen = new TreeSet<>();
        for (int i = 0; i < versions.size(); i++) {
            String version = String.valueOf(versions.get(i));
            if (seen.add(version)) {
                errors.invalid(at + "[" + i + "]", version, Names.label1035(version));
            } else {
                errors.invalid(at + "[" + i + "]", version, "duplicate version");
            }
        }
        if (!versions.contains("v1") && !versions.contains("v1beta1")) {
            errors.invalid(at, versions, "must include at least one of v1, v1beta1");
        }
    }

    private static void rule(@Nullable Object rule, String at, FieldErrors errors) {
        List<@Nullable Object> operations = Trees.list(rule, "operations");
        listed(operations, at + ".operations", "operations", errors);
        for (int i = 0; i < operations.size(); i++) {
            errors.oneOf(at + ".operations[" + i + "]", String.valueOf(operations.get(i)), OPERATIONS);
        }
        listed(Trees.list(rule, "apiGroups"), at + ".apiGroups", "API groups", errors);
        List<@Nullable Object> versions = Trees.list(rule, "apiVersions");
        listed(versions, at + ".apiVersions", "API versions", errors);
        noneEmpty(versions, at + ".apiVersions", errors);
        resources(Trees.list(rule, "resources"), at + ".resources", errors);
        errors.oneOf(at + ".scope", Json.string(rule, "scope"), "*", "Cluster", "Namespaced");
    }

    /** Requires values, of which a star must be the only one. */
    private static void listed(List<@Nullable Object> values, String at, String what, FieldErrors errors) {
        if (values.isEmpty()) {
            errors.required(at);
        } else if (values.size() > 1 && values.contains("*")) {
            errors.invalid(at, values, "if '*' is present, must not specify other " + what);
        }
    }

    private static void noneEmpty(List<@Nullable Object> values, String at, FieldErrors errors) {
        for (int i = 0; i < values.size(); i++) {
            if ("".equals(values.get(i))) {
                errors.required(at + "[" + i + "]");
            }
        }
    }

    private static void resources(List<@Nullable Object> resources, String at, FieldErrors errors) {
        if (resources.isEmpty()) {
            errors.required(at);
        }
        noneEmpty(resources, at, errors);
        Set<String> whole = new TreeSet<>();
        Set<String> everywhere = new TreeSet<>();
        boolean plain = false;
        for (int i = 0; i < resources.size(); i++) {
            String resource = String.valueOf(resources.get(i));
            int slash = resource.indexOf('/');
            if (slash < 0) {
                plain |= !resource.isEmpty() && !resource.equals("*");
                continue;
            }
            String of = resource.substring(0, slash);
            String sub = resource.substring(slash + 1);
            if (whole.contains(of)) {
                errors.invalid(
                        at + "[" + i + "]", resource, "if '" + of + "/*' is present, must not specify " + resource);
            }
            if (everywhere.contains(sub)) {
                errors.invalid(
                        at + "[" + i + "]", resource, "if '*/" + sub + "' is present, must not specify " + resource);
            }
            if (sub.equals("*")) {
                whole.add(of);
            }
            if (of.equals("*")) {
                everywhere.add(sub);
            }
        }
        if (resources.size() > 1 && resources.contains("*/*")) {
            errors.invalid(at, resources, "if '*/*' is present, must not specify other resources");
        }
        if (resources.contains("*") && plain) {
            errors.invalid(at, resources, "if '*' is present, must not specify other resources without subresources");
        }
    }

    private static void client(@Nullable Object webhook, String at, FieldErrors errors) {
        boolean url = Trees.has(webhook, "clientConfig", "url");
        if (url == Trees.has(webhook, "clientConfig", "service")) {
            errors.required(at, "exactly one of url or service is required");
        } else if (url) {
            url(Json.string(webhook, "clientConfig", "url"), at + ".url", errors);
        } else {
            service(Json.at(webhook, "clientConfig", "service"), at + ".service", errors);
        }
    }

    private static void url(String text, String at, FieldErrors errors) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            errors.required(at, "url must be a valid URL: " + e.getMessage() + URL_FORM);
            return;
        }
        if (!"https".equals(url.getScheme())) {
            errors.invalid(at, url.getScheme(), "'https' is the only allowed URL scheme" + URL_FORM);
        }
        if (url.getRawAuthority() == null || url.getRawAuthority().isEmpty()) {
            errors.invalid(at, "", "host must be provided" + URL_FORM);
        }
        if (url.getRawUserInfo() != null) {
            errors.invalid(at, url.getRawUserInfo(), "user information is not permitted in the URL");
        }
        if (url.getRawFragment() != null) {
            errors.invalid(at, url.getRawFragment(), "fragments are not permitted in the URL");
        }
        if (url.getRawQuery() != null) {
            errors.invalid(at, url.getRawQuery(), "query parameters are not permitted in the URL");
        }
    }

    private static void service(@Nullable Object service, String at, FieldErrors errors) {
        if (Json.string(service, "name").isEmpty()) {
            errors.required(at + ".name", "service name is required");
        }
        if (Json.string(service, "namespace").isEmpty()) {
            errors.required(at + ".namespace", "service namespace is required");
        }
        if (Json.at(service, "port") instanceof Long port && (port < 1 || port > 65_535)) {
            errors.invalid(at + ".port", port, "port is not valid: must be between 1 and 65535, inclusive");
        }
        path(Json.string(service, "path"), at + ".path", errors);
    }

    private static void path(String path, String at, FieldErrors errors) {
        if (path.isEmpty() || path.equals("/")) {
            return;
        }
        if (!path.startsWith("/")) {
            errors.invalid(at, path, "must start with a '/'");
        }
        String[] segments = path.substring(1).replaceFirst("/$", "").split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            String segment = "segment[" + i + "]";
            if (segments[i].isEmpty()) {
                errors.invalid(at, path, segment + " may not be empty");
            } else {
                Names.subdomain(segments[i]).forEach(wrong -> errors.invalid(at, path, segment + ": " + wrong));
            }
        }
    }

    private static void conditions(List<@Nullable Object> conditions, String at, FieldErrors errors) {
        if (conditions.size() > MAX_CONDITIONS) {
            errors.add(FieldError.tooMany(at, conditions.size(), MAX_CONDITIONS));
        }
        for (int i = 0; i < conditions.size(); i++) {
            String each = at + "[" + i + "]";
            String expression = Json.string(conditions.get(i), "expression").strip();
            if (expression.isEmpty()) {
                errors.required(each + ".expression");
            } else {
                String error = Condition.of(expression).error();
                if (!error.isEmpty()) {
                    errors.invalid(each + ".expression", expression, error);
                }
            }
            String name = Json.string(conditions.get(i), "name");
            if (name.isEmpty()) {
                errors.required(each + ".name");
            } else {
                errors.invalid(each + ".name", name, Names.qualified(name));
            }
        }
        errors.unique(at, conditions, "name");
    }
}
