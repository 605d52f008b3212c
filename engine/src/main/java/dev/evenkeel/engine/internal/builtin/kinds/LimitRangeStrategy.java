package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Limit ranges. */
record LimitRangeStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Trees.each(
                tree,
                item -> {
                    if (!Json.string(item, "type").equals("Container")) {
                        return;
                    }
                    Map<String, @Nullable Object> limits = Trees.object(item, "default");
                    Trees.object(item, "max").forEach(limits::putIfAbsent);
                    Map<String, @Nullable Object> requests = Trees.object(item, "defaultRequest");
                    limits.forEach(requests::putIfAbsent);
                    Trees.object(item, "min").forEach(requests::putIfAbsent);
                    if (!limits.isEmpty()) {
                        item.put("default", limits);
                    }
                    if (!requests.isEmpty()) {
                        item.put("defaultRequest", requests);
                    }
                },
                "spec",
                "limits");
    }
}
