package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;

/** Replica sets. */
record ReplicaSetStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        PodTemplates.applyDefaults(tree).putIfAbsent("replicas", 1L);
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        PodTemplates.validate(tree, errors);
        errors.notNegative("spec.minReadySeconds", tree.at("spec", "minReadySeconds"));
    }

    @Override
    public void validateUpdate(JsonObject tree, JsonObject old, FieldErrors errors) {
        errors.immutable(tree, old, "spec", "selector");
    }
}
