package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Resource claims. */
record ResourceClaimStrategy(KindFacts facts) implements KindStrategy {
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
