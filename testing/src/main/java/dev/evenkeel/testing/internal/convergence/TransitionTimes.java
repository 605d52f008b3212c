package dev.evenkeel.testing.internal.convergence;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** The transition times of conditions, which change with the status of the condition and at no other time. */
final class TransitionTimes {
    private static final String TIME = "lastTransitionTime";

    private TransitionTimes() {}

    /** Returns the transition times that a write changed although the status stayed, in lines. */
    static List<String> rewritten(Encoded was, Encoded is) {
        List<String> lines = new ArrayList<>();
        for (JsonObject before : conditions(was)) {
            for (JsonObject after : conditions(is)) {
                if (before.string("type").equals(after.string("type"))
                        && before.string("status").equals(after.string("status"))
                        && !before.string(TIME).isEmpty()
                        && !before.string(TIME).equals(after.string(TIME))) {
                    lines.add("status.conditions[" + after.string("type") + "]." + TIME + " changes from "
                            + before.string(TIME) + " to " + after.string(TIME) + ", and the status stays "
                            + after.string("status"));
                }
            }
        }
        return lines;
    }

    private static List<JsonObject> conditions(Encoded object) {
        JsonObject tree = Json.parseObject(object.json(), JsonLimits.DEFAULT);
        return tree.get("status") instanceof JsonObject status && status.get("conditions") instanceof List<?> list
                ? list.stream()
                        .filter(JsonObject.class::isInstance)
                        .map(JsonObject.class::cast)
                        .toList()
                : List.of();
    }
}
