package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Resource quotas. */
record ResourceQuotaStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        return new TreeMap<>(Trees.object(tree, "status", "hard"))
                .entrySet().stream()
                        .filter(hard -> hard.getKey().startsWith("limits") == column.equals("Limit"))
                        .map(hard -> {
                            Object used = Json.at(tree, "status", "used", hard.getKey());
                            return hard.getKey() + ": " + (used == null ? "0" : used) + "/" + hard.getValue();
                        })
                        .collect(Collectors.joining(", "));
    }
}
