package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;

/** Pod disruption budgets. */
record PodDisruptionBudgetStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        if (tree.has("spec", "minAvailable") && tree.has("spec", "maxUnavailable")) {
            errors.invalid("spec", tree.get("spec"), "minAvailable and maxUnavailable cannot be both set");
        }
        errors.notNegative("spec.minAvailable", tree.at("spec", "minAvailable"));
        errors.notNegative("spec.maxUnavailable", tree.at("spec", "maxUnavailable"));
        SelectorValidation.selector(tree.object("spec", "selector"), "spec.selector", errors);
    }
}
