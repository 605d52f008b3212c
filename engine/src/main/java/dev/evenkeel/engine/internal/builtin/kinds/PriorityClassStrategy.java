package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Priority classes. */
record PriorityClassStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Trees.fillText(tree, "preemptionPolicy", "PreemptLowerPriority");
    }

    @Override
    public void validateUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, FieldErrors errors) {
        if (Json.integer(tree, "value") != Json.integer(old, "value")) {
            errors.forbidden("value", "may not be changed in an update.");
        }
        errors.immutable(tree, old, "preemptionPolicy");
    }
}
