package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;

/** Pod templates. */
record PodTemplateStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        tree.findObject("template").ifPresent(PodDefaults::template);
    }
}
