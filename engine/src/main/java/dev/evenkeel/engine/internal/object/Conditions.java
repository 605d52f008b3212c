package dev.evenkeel.engine.internal.object;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The conditions in the status of an object, at most one of each type. */
public final class Conditions {
    private Conditions() {}

    /** Returns the condition of a type; null when there is none. */
    public static @Nullable Object find(JsonObject status, String type) {
        return status.array("conditions").stream()
                .filter(condition -> Json.string(condition, "type").equals(type))
                .findFirst()
                .orElse(null);
    }

    /** Adds a condition, or replaces that of its type in its place. */
    public static void put(JsonObject status, JsonObject condition) {
        List<@Nullable Object> conditions = new ArrayList<>(status.array("conditions"));
        Object present = find(status, condition.string("type"));
        if (present == null) {
            conditions.add(condition);
        } else {
            conditions.set(conditions.indexOf(present), condition);
        }
        status.put("conditions", conditions);
    }
}
