package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.List;

/** Pod disruption budgets. */
record PodDisruptionBudgetStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        Field spec = root.at("spec");
        Field min = spec.at("minAvailable");
        Field max = spec.at("maxUnavailable");
        if (min.given() && max.given()) {
            spec.invalidText(
                    StructText.of(
                            spec,
                            "MinAvailable",
                            "minAvailable",
                            "Selector",
                            "selector",
                            "MaxUnavailable",
                            "maxUnavailable",
                            "UnhealthyPodEvictionPolicy",
                            "unhealthyPodEvictionPolicy"),
                    "minAvailable and maxUnavailable cannot be both set");
        }
        for (Field amount : List.of(min, max)) {
            PodTemplates.amount(amount);
            PodTemplates.atMostAll(amount);
        }
        Selectors.validate(spec.at("selector"));
        if (spec.at("unhealthyPodEvictionPolicy").given()) {
            spec.at("unhealthyPodEvictionPolicy").oneOf("AlwaysAllow", "IfHealthyBudget");
        }
    }

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        ConditionRules.validate(root.at("status", "conditions"));
        for (String count : List.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods")) {
            root.at("status", count).notNegative();
        }
    }
}
