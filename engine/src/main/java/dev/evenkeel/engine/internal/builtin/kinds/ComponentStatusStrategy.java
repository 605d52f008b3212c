package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;
import java.util.Locale;

/** Component statuses. */
record ComponentStatusStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        Object healthy = tree.array("conditions").stream()
                .filter(condition -> Json.string(condition, "type").equals("Healthy"))
                .findFirst()
                .orElse(null);
        return !column.equals("Status")
                ? Json.string(healthy, column.toLowerCase(Locale.ROOT))
                : healthy == null ? "Unknown" : Json.string(healthy, "status").equals("True") ? "Healthy" : "Unhealthy";
    }
}
