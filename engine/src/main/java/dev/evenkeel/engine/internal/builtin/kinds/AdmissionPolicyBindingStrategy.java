package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Bindings of validating and mutating admission policies. */
record AdmissionPolicyBindingStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Trees.with(tree, AdmissionConfigurations::matchResources, "spec", "matchResources");
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        if (!Trees.has(tree, "spec", "paramRef")) {
            return "<unset>";
        }
        String name = Json.string(tree, "spec", "paramRef", "name");
        String namespace = Json.string(tree, "spec", "paramRef", "namespace");
        return name.isEmpty()
                ? CellRule.orNone(Selectors.text(Trees.object(tree, "spec", "paramRef", "selector")))
                : (namespace.isEmpty() ? "*" : namespace) + "/" + name;
    }
}
