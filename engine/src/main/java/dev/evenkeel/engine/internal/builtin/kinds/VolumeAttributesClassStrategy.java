package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;

/** Volume attributes classes. */
record VolumeAttributesClassStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        Volumes.protect(tree, "kubernetes.io/vac-protection");
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return Volumes.className(tree);
    }
}
