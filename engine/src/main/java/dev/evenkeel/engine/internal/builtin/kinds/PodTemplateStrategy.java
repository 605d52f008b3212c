package dev.evenkeel.engine.internal.builtin.kinds;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Pod templates. */
record PodTemplateStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Trees.with(tree, PodDefaults::template, "template");
    }
}
