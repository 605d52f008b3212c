package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Replica sets. */
record ReplicaSetStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Trees.fill(PodTemplates.applyDefaults(tree), "replicas", 1L);
    }

    @Override
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        PodTemplates.validate(tree, errors);
        errors.notNegative("spec.minReadySeconds", Json.at(tree, "spec", "minReadySeconds"));
    }

    @Override
    public void validateUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, FieldErrors errors) {
        errors.immutable(tree, old, "spec", "selector");
    }
}
