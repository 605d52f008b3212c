package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType.Names;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Roles and cluster roles. */
record RoleStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public Names names() {
        return Names.PATH_SEGMENT;
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        List<@Nullable Object> rules = tree.array("rules");
        for (int i = 0; i < rules.size(); i++) {
            validateRule(rules.get(i), "rules[" + i + "]", errors);
        }
    }

    private void validateRule(@Nullable Object rule, String at, FieldErrors errors) {
        List<@Nullable Object> urls = Trees.list(rule, "nonResourceURLs");
        List<@Nullable Object> groups = Trees.list(rule, "apiGroups");
        List<@Nullable Object> resources = Trees.list(rule, "resources");
        if (Trees.list(rule, "verbs").isEmpty()) {
            errors.required(at + ".verbs", "verbs must contain at least one value");
        }
        if (!urls.isEmpty()) {
            if (facts.type().namespaced()) {
                errors.invalid(at + ".nonResourceURLs", urls, "namespaced rules cannot apply to non-resource URLs");
            }
            if (!groups.isEmpty()
                    || !resources.isEmpty()
                    || !Trees.list(rule, "resourceNames").isEmpty()) {
                errors.invalid(
                        at + ".nonResourceURLs",
                        urls,
                        "rules cannot apply to both regular resources and non-resource URLs");
            }
            return;
        }
        if (groups.isEmpty()) {
            errors.required(at + ".apiGroups", "resource rules must supply at least one api group");
        }
        if (resources.isEmpty()) {
            errors.required(at + ".resources", "resource rules must supply at least one resource");
        }
    }
}
