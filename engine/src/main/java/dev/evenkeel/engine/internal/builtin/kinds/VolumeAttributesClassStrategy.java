package dev.evenkeel.engine.internal.builtin.kinds;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Volume attributes classes. */
record VolumeAttributesClassStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void prepareForCreate(Map<String, @Nullable Object> tree, Context context) {
        Volumes.protect(tree, "kubernetes.io/vac-protection");
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        return Volumes.className(tree);
    }
}
