package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Component statuses. */
record ComponentStatusStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        Object healthy = Trees.list(tree, "conditions").stream()
                .filter(condition -> Json.string(condition, "type").equals("Healthy"))
                .findFirst()
                .orElse(null);
        return !column.equals("Status")
                ? Json.string(healthy, column.toLowerCase(Locale.ROOT))
                : healthy == null ? "Unknown" : Json.string(healthy, "status").equals("True") ? "Healthy" : "Unhealthy";
    }
}
