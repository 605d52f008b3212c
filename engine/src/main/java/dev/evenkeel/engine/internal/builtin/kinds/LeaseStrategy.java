package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.schema.Field;

/** Leases. */
record LeaseStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        Field spec = root.at("spec");
        spec.at("leaseDurationSeconds").positive();
        spec.at("leaseTransitions").notNegative();
        if (spec.at("strategy").given()) {
            spec.at("strategy").oneOf("OldestEmulationVersion");
        }
    }
}
