package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The accessors of {@link JsonObject} for values that may be anything, and what kinds read of conditions. */
final class Trees {
    private Trees() {}

    /** Returns the condition of a type in the status; null when there is none. */
    static @Nullable Object condition(@Nullable Object tree, String type) {
        for (Object condition : Json.array(Json.at(tree, "status", "conditions"))) {
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

    /** Removes an annotation from metadata, and returns them. */
    static JsonObject withoutAnnotation(JsonObject metadata, String name) {
        JsonObject annotations = metadata.object("annotations");
        if (annotations.remove(name) != null && annotations.isEmpty()) {
            metadata.remove("annotations");
        }
        return metadata;
    }

    static List<@Nullable Object> items(Object... items) {
        return new ArrayList<>(List.of(items));
    }
}
