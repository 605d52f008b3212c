package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The accessors of {@link JsonObject} for values that may be anything, and what kinds read of conditions. */
final class Trees {
    private Trees() {}

    /** Returns the list under a path; an empty, detached one if absent. */
    static List<@Nullable Object> list(@Nullable Object tree, String... path) {
        return Json.array(Json.at(tree, path));
    }

    /** Returns true if there is a value under a path. */
    static boolean has(@Nullable Object tree, String... path) {
        return Json.at(tree, path) != null;
    }

    /** Returns the condition of a type in the status; null when there is none. */
    static @Nullable Object condition(@Nullable Object tree, String type) {
        for (Object condition : list(tree, "status", "conditions")) {
            if (Json.string(condition, "type").equals(type)) {
                return condition;
            }
        }
        return null;
    }

    /** Returns true if the condition of a type has a status. */
    static boolean isCondition(@Nullable Object tree, String type, String status) {
        return Json.string(condition(tree, type), "status").equals(status);
    }

    /** Returns true if the value under a path is true. */
    static boolean isTrue(@Nullable Object tree, String... path) {
        return Boolean.TRUE.equals(Json.at(tree, path));
    }

    /** Adds a finalizer to the member of that name, which is added when it is missing. */
    static void addFinalizer(JsonObject holder, String finalizer) {
        List<@Nullable Object> finalizers = new ArrayList<>(holder.array("finalizers"));
        if (!finalizers.contains(finalizer)) {
            finalizers.add(finalizer);
        }
        holder.put("finalizers", finalizers);
    }

    /** Returns a new list. */
    static List<@Nullable Object> items(Object... items) {
        return new ArrayList<>(List.of(items));
    }
}
