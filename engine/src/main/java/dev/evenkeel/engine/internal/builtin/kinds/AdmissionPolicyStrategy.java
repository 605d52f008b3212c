package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Validating and mutating admission policies. */
record AdmissionPolicyStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        Trees.fillText(spec, "failurePolicy", "Fail");
        Trees.with(spec, AdmissionConfigurations::matchResources, "matchConstraints");
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        return Trees.has(tree, "spec", "paramKind")
                ? Json.string(tree, "spec", "paramKind", "apiVersion") + "/"
                        + Json.string(tree, "spec", "paramKind", "kind")
                : "<unset>";
    }
}
