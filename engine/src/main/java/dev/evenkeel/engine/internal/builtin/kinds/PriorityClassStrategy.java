package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;

/** Priority classes. */
record PriorityClassStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        tree.setIfEmpty("preemptionPolicy", "PreemptLowerPriority");
    }

    @Override
    public void validateUpdate(JsonObject tree, JsonObject old, FieldErrors errors) {
        if (tree.integer("value") != old.integer("value")) {
            errors.forbidden("value", "may not be changed in an update.");
        }
        errors.immutable(tree, old, "preemptionPolicy");
    }
}
