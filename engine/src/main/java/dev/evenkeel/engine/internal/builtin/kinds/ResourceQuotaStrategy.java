package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Resource quotas. */
record ResourceQuotaStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return new TreeMap<>(tree.object("status", "hard"))
                .entrySet().stream()
                        .filter(hard -> hard.getKey().startsWith("limits") == column.equals("Limit"))
                        .map(hard -> {
                            Object used = tree.at("status", "used", hard.getKey());
                            return hard.getKey() + ": " + (used == null ? "0" : used) + "/" + hard.getValue();
                        })
                        .collect(Collectors.joining(", "));
    }
}
