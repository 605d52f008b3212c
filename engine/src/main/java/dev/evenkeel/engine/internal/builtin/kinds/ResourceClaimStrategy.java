package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Resource claims. */
record ResourceClaimStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        tree.findObject("spec").ifPresent(ResourceClaimStrategy::applySpecDefaults);
    }

    /** Fills in the defaults of a claim's spec, also in templates of claims. */
    static void applySpecDefaults(JsonObject spec) {
        spec.objects("devices", "requests").forEach(request -> {
            request.findObject("exactly").ifPresent(ResourceClaimStrategy::deviceRequest);
            request.objects("firstAvailable").forEach(ResourceClaimStrategy::deviceRequest);
        });
    }

    private static void deviceRequest(JsonObject request) {
        request.setIfEmpty("allocationMode", "ExactCount");
        if (request.string("allocationMode").equals("ExactCount")) {
            request.setIfZero("count", 1L);
        }
        request.objects("tolerations").forEach(toleration -> toleration.setIfEmpty("operator", "Equal"));
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        List<String> states = new ArrayList<>();
        if (tree.has("metadata", "deletionTimestamp")) {
            states.add("deleted");
        }
        if (tree.has("status", "allocation")) {
            states.add("allocated");
            if (!tree.array("status", "reservedFor").isEmpty()) {
                states.add("reserved");
            }
        } else if (states.isEmpty()) {
            states.add("pending");
        }
        return String.join(",", states);
    }
}
