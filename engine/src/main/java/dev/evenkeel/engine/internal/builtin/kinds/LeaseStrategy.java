package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;

/** Leases. */
record LeaseStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        errors.positive("spec.leaseDurationSeconds", tree.at("spec", "leaseDurationSeconds"));
        errors.notNegative("spec.leaseTransitions", tree.at("spec", "leaseTransitions"));
        if (tree.at("spec", "strategy") instanceof String strategy) {
            errors.oneOf("spec.strategy", strategy, "OldestEmulationVersion");
        }
    }
}
