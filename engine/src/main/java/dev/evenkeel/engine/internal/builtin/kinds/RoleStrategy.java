package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.schema.Field;
import java.util.stream.Stream;

/** Roles and cluster roles. */
record RoleStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        root.at("rules").items().forEach(this::validateRule);
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
