package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Leases. */
record LeaseStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        errors.positive("spec.leaseDurationSeconds", Json.at(tree, "spec", "leaseDurationSeconds"));
        errors.notNegative("spec.leaseTransitions", Json.at(tree, "spec", "leaseTransitions"));
        if (Json.at(tree, "spec", "strategy") instanceof String strategy) {
            errors.oneOf("spec.strategy", strategy, "OldestEmulationVersion");
        }
    }
}
