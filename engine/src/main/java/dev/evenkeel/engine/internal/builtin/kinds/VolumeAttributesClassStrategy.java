package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;

/** Volume attributes classes. */
record VolumeAttributesClassStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        Volumes.protect(tree, "kubernetes.io/vac-protection");
    }
}
