package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.access.ContentWrite;
import dev.evenkeel.engine.internal.access.Escalation;
import dev.evenkeel.engine.internal.access.PolicyRule;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.List;
import java.util.stream.Stream;

/** Roles and cluster roles. */
record RoleStrategy(KindFacts facts) implements KindStrategy {
    private static final List<String> ALL = List.of("*");
    private static final List<PolicyRule> EVERYTHING = List.of(
            new PolicyRule(ALL, ALL, ALL, List.of(), List.of()),
            new PolicyRule(ALL, List.of(), List.of(), List.of(), ALL));

    @Override
    public void validate(Field root) {
        root.at("rules").items().forEach(this::validateRule);
        Field aggregation = root.at("aggregationRule");
        if (aggregation.given()) {
            Field selectors = aggregation.at("clusterRoleSelectors");
            if (selectors.array().isEmpty()) {
                selectors.missing("at least one clusterRoleSelector required if aggregationRule is non-nil");
            }
            for (Field selector : selectors.items()) {
                Selectors.validate(selector);
                if (!Selectors.isWellFormed(selector.object())) {
                    selector.invalid(null, "invalid label selector.");
                }
            }
        }
    }

    /** Checks that the sender has the permissions that the role gives, or may {@code escalate} it. */
    @Override
    public void authorize(ContentWrite write) {
        if (write.allows("escalate") || write.changesOwnershipOnly()) {
            return;
        }
        Escalation.check(write, PolicyRule.of(write.tree()));
        boolean aggregates = aggregates(write.tree()) || (write.old() != null && aggregates(write.old()));
        if (aggregates && !Escalation.problem(write, EVERYTHING).isEmpty()) {
            String why = "must have cluster-admin privileges to use the aggregationRule";
            throw Refusal.forbidden(facts.type(), write.tree().string("metadata", "name"), why, List.of());
        }
    }

    private static boolean aggregates(JsonObject role) {
        return !role.array("aggregationRule", "clusterRoleSelectors").isEmpty();
    }

    private void validateRule(Field rule) {
        Field urls = rule.at("nonResourceURLs");
        Field groups = rule.at("apiGroups");
        Field resources = rule.at("resources");
        requireItems(rule.at("verbs"), "verbs must contain at least one value");
        if (urls.array().isEmpty()) {
            requireItems(groups, "resource rules must supply at least one api group");
            requireItems(resources, "resource rules must supply at least one resource");
            return;
        }
        if (facts.type().namespaced()) {
            urls.invalid("namespaced rules cannot apply to non-resource URLs");
        }
        if (!Stream.of(groups, resources, rule.at("resourceNames"))
                .allMatch(field -> field.array().isEmpty())) {
            urls.invalid("rules cannot apply to both regular resources and non-resource URLs");
        }
    }

    private static void requireItems(Field field, String detail) {
        if (field.array().isEmpty()) {
            field.missing(detail);
        }
    }
}
