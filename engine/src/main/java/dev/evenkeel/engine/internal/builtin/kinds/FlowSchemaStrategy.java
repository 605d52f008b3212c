package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Flow schemas. */
record FlowSchemaStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Trees.fillNumber(Trees.grow(tree, "spec"), "matchingPrecedence", 1000L);
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        Object dangling = Trees.condition(tree, "Dangling");
        return dangling == null ? "?" : Json.string(dangling, "status");
    }
}
