package dev.evenkeel.engine.internal.builtin.kinds;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Templates of resource claims. */
record ResourceClaimTemplateStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Trees.with(tree, ResourceClaimStrategy::applySpecDefaults, "spec", "spec");
    }
}
