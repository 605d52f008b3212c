package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.schema.Field;

/** Pod disruption budgets. */
record PodDisruptionBudgetStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        Field spec = root.at("spec");
        Field min = spec.at("minAvailable");
        Field max = spec.at("maxUnavailable");
        if (min.given() && max.given()) {
            spec.invalid("minAvailable and maxUnavailable cannot be both set");
        }
        min.notNegative();
        max.notNegative();
        Selectors.validate(spec.at("selector"));
    }
}
