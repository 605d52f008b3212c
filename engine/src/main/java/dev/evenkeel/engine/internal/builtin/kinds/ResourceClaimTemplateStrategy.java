package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;

/** Templates of resource claims. */
record ResourceClaimTemplateStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        tree.findObject("spec", "spec").ifPresent(ResourceClaimStrategy::applySpecDefaults);
    }
}
