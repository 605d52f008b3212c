package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;

/** Flow schemas. */
record FlowSchemaStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        Object dangling = Trees.condition(tree, "Dangling");
        return dangling == null ? "?" : Json.string(dangling, "status");
    }
}
