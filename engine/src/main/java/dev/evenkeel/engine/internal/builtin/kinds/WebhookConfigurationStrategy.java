package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.cel.Condition;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.schema.WebhookRules;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** Validating and mutating webhook configurations. */
record WebhookConfigurationStrategy(KindFacts facts) implements KindStrategy {
    private static final String[] OPERATIONS = {"*", "CONNECT", "CREATE", "DELETE", "UPDATE"};
    private static final int MAX_CONDITIONS = 64;

    /** Upstream compares without its usual notion of equality. */
    @Override
    public boolean countsEmpty() {
        return true;
    }

    @Override
    public void validate(Field root) {
        Set<String> names = new HashSet<>();
        for (Field webhook : root.at("webhooks").items()) {
            webhook(webhook);
            Field versions = webhook.at("admissionReviewVersions");
            if (versions.array().isEmpty()) {
                versions.missing("must specify one of v1, v1beta1");
            } else {
                WebhookRules.reviewVersions(versions);
            }
            if (!webhook.at("name").text().isEmpty()) {
                webhook.at("name").distinct(names);
            }
        }
    }

    private static void webhook(Field webhook) {
        Field name = webhook.at("name");
        if (name.require(Names::subdomain) && name.text().split("\\.", -1).length < 3) {
            name.invalid("should be a domain with at least three segments separated by dots");
        }
        webhook.at("rules").items().forEach(WebhookConfigurationStrategy::rule);
        webhook.at("failurePolicy").oneOf("Fail", "Ignore");
        webhook.at("matchPolicy").oneOf("Equivalent", "Exact");
        if (webhook.at("sideEffects").given()) {
            webhook.at("sideEffects").oneOf("None", "NoneOnDryRun");
        } else {
            webhook.at("sideEffects").missing("must specify one of None, NoneOnDryRun");
        }
        webhook.at("timeoutSeconds").between(1, 30, "the timeout value must be between 1 and 30 seconds");
        Selectors.validate(webhook.at("namespaceSelector"));
        Selectors.validate(webhook.at("objectSelector"));
        if (webhook.at("reinvocationPolicy").given()) {
            webhook.at("reinvocationPolicy").oneOf("IfNeeded", "Never");
        }
        client(webhook.at("clientConfig"));
        conditions(webhook.at("matchConditions"));
    }

    /** Checks a rule, which selects operations and resources. */
    static void rule(Field rule) {
        listed(rule.at("operations"), "operations");
        rule.at("operations").items().forEach(operation -> operation.oneOf(OPERATIONS));
        listed(rule.at("apiGroups"), "API groups");
        listed(rule.at("apiVersions"), "API versions");
        rule.at("apiVersions").items().forEach(Field::require);
        resources(rule.at("resources"));
        rule.at("scope").oneOf("*", "Cluster", "Namespaced");
    }

    /** Requires values, of which a star must be the only one. */
    private static void listed(Field values, String what) {
        if (values.array().isEmpty()) {
            values.missing();
        } else if (values.array().size() > 1 && values.array().contains("*")) {
            values.invalid("if '*' is present, must not specify other " + what);
        }
    }

    private static void resources(Field resources) {
        if (resources.array().isEmpty()) {
            resources.missing();
        }
        resources.items().forEach(Field::require);
        Set<String> whole = new TreeSet<>();
        Set<String> everywhere = new TreeSet<>();
        boolean plain = false;
        for (Field each : resources.items()) {
            String resource = each.text();
            int slash = resource.indexOf('/');
            if (slash < 0) {
                // upstream remembers the last of them only
                plain = resource.isEmpty() ? plain : !resource.equals("*");
                continue;
            }
            String of = resource.substring(0, slash);
            String sub = resource.substring(slash + 1);
            if (whole.contains(of)) {
                each.invalid("if '" + of + "/*' is present, must not specify " + resource);
            }
            if (everywhere.contains(sub)) {
                each.invalid("if '*/" + sub + "' is present, must not specify " + resource);
            }
            if (sub.equals("*")) {
                whole.add(of);
            }
            if (of.equals("*")) {
                everywhere.add(sub);
            }
        }
        if (resources.array().size() > 1 && resources.array().contains("*/*")) {
            resources.invalid("if '*/*' is present, must not specify other resources");
        }
        if (resources.array().contains("*") && plain) {
            resources.invalid("if '*' is present, must not specify other resources without subresources");
        }
    }

    private static void client(Field client) {
        Field url = client.at("url");
        Field service = client.at("service");
        if (url.given() == service.given()) {
            client.missing("exactly one of url or service is required");
        } else if (url.given()) {
            WebhookRules.url(url);
        } else {
            WebhookRules.service(service);
        }
    }

    private static void conditions(Field conditions) {
        conditions(conditions, expression -> Condition.of(expression).error());
    }

    /** Checks conditions; the function returns the error of an expression, empty when there is none. */
    static void conditions(Field conditions, UnaryOperator<String> errors) {
        if (conditions.array().size() > MAX_CONDITIONS) {
            conditions.tooMany(conditions.array().size(), MAX_CONDITIONS);
        }
        Set<String> names = new HashSet<>();
        for (Field condition : conditions.items()) {
            Field expression = condition.at("expression");
            String stripped = expression.text().strip();
            String error = stripped.isEmpty() ? "" : errors.apply(stripped);
            if (stripped.isEmpty()) {
                expression.missing();
            } else if (!error.isEmpty()) {
                expression.invalid(stripped, error);
            }
            Field name = condition.at("name");
            name.require(Names::qualified);
            if (!name.text().isEmpty()) {
                name.distinct(names);
            }
        }
    }
}
