package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;

/** Validating and mutating admission policies. */
record AdmissionPolicyStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        JsonObject spec = tree.withObject("spec");
        spec.setIfEmpty("failurePolicy", "Fail");
        spec.findObject("matchConstraints").ifPresent(AdmissionConfigurations::matchResources);
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return tree.has("spec", "paramKind")
                ? tree.string("spec", "paramKind", "apiVersion") + "/" + tree.string("spec", "paramKind", "kind")
                : "<unset>";
    }
}
