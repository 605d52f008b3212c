package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules of leases. */
final class CoordinationValidation {
    private CoordinationValidation() {}

    static List<FieldError> lease(Map<String, @Nullable Object> tree) {
        Findings findings = new Findings();
        findings.positive("spec.leaseDurationSeconds", Json.at(tree, "spec", "leaseDurationSeconds"));
        findings.notNegative("spec.leaseTransitions", Json.at(tree, "spec", "leaseTransitions"));
        if (Json.at(tree, "spec", "strategy") instanceof String strategy) {
            findings.oneOf("spec.strategy", strategy, "OldestEmulationVersion");
        }
        return findings.list();
    }
}
