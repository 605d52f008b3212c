package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Resource claims. */
record ResourceClaimStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Trees.with(tree, ResourceClaimStrategy::applySpecDefaults, "spec");
    }

    /** Fills in the defaults of a claim's spec, also in templates of claims. */
    static void applySpecDefaults(Map<String, @Nullable Object> spec) {
        Trees.each(
                spec,
                request -> {
                    Trees.with(request, ResourceClaimStrategy::deviceRequest, "exactly");
                    Trees.each(request, ResourceClaimStrategy::deviceRequest, "firstAvailable");
                },
                "devices",
                "requests");
    }

    private static void deviceRequest(Map<String, @Nullable Object> request) {
        Trees.fillText(request, "allocationMode", "ExactCount");
        if (Json.string(request, "allocationMode").equals("ExactCount")) {
            Trees.fillNumber(request, "count", 1L);
        }
        Trees.each(request, toleration -> Trees.fillText(toleration, "operator", "Equal"), "tolerations");
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        List<String> states = new ArrayList<>();
        if (Trees.has(tree, "metadata", "deletionTimestamp")) {
            states.add("deleted");
        }
        if (Trees.has(tree, "status", "allocation")) {
            states.add("allocated");
            if (!Trees.list(tree, "status", "reservedFor").isEmpty()) {
                states.add("reserved");
            }
        } else if (states.isEmpty()) {
            states.add("pending");
        }
        return String.join(",", states);
    }
}
