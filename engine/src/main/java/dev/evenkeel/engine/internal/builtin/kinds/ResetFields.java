package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;

/** Restores the fields that a write to the object, or to its status, may not change. */
final class ResetFields {
    /** The fields meant by {@code metadata} as a reset field: a status write keeps the rest, such as managedFields. */
    private static final List<String> METADATA = List.of(
            "labels", "annotations", "finalizers", "ownerReferences", "deletionTimestamp", "generation", "selfLink");

    private ResetFields() {}

    /** Sets the fields under the dotted paths to their former values. */
    static void restore(JsonObject tree, JsonObject old, List<String> paths) {
        for (String path : paths) {
            if (path.equals("metadata")) {
                for (String field : METADATA) {
                    restore(tree, old, "metadata", field);
                }
            } else {
                restore(tree, old, path.split("\\.", -1));
            }
        }
    }

    private static void restore(JsonObject tree, JsonObject old, String... path) {
        JsonObject to = tree;
        JsonObject from = old;
        for (int i = 0; i < path.length - 1; i++) {
            from = from.object(path[i]);
            if (!(to.get(path[i]) instanceof JsonObject) && from.isEmpty()) {
                return;
            }
            to = to.withObject(path[i]);
        }
        to.copyMember(path[path.length - 1], from);
    }
}
