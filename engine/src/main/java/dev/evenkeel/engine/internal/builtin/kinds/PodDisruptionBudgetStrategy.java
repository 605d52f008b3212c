package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Pod disruption budgets. */
record PodDisruptionBudgetStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        if (Trees.has(tree, "spec", "minAvailable") && Trees.has(tree, "spec", "maxUnavailable")) {
            errors.invalid("spec", Json.at(tree, "spec"), "minAvailable and maxUnavailable cannot be both set");
        }
        errors.notNegative("spec.minAvailable", Json.at(tree, "spec", "minAvailable"));
        errors.notNegative("spec.maxUnavailable", Json.at(tree, "spec", "maxUnavailable"));
        SelectorValidation.selector(Trees.object(tree, "spec", "selector"), "spec.selector", errors);
    }
}
