package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;

/** API services. */
record ApiServiceStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        Object available = Trees.condition(tree, "Available");
        String status = available == null ? "Unknown" : Json.string(available, "status");
        return available == null || status.equals("True")
                ? status
                : status + " (" + Json.string(available, "reason") + ")";
    }
}
