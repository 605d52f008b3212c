package dev.evenkeel.engine.internal.builtin.kinds;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Restores the fields that a write to the object, or to its status, may not change. */
final class ResetFields {
    /** The fields meant by {@code metadata} as a reset field: a status write keeps the rest, such as managedFields. */
    private static final List<String> METADATA = List.of(
            "labels", "annotations", "finalizers", "ownerReferences", "deletionTimestamp", "generation", "selfLink");

    private ResetFields() {}

    /** Sets the fields under the dotted paths to their former values. */
    static void restore(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, List<String> paths) {
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

    private static void restore(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, String... path) {
        Map<String, @Nullable Object> to = tree;
        Map<String, @Nullable Object> from = old;
        for (int i = 0; i < path.length - 1; i++) {
            from = Trees.object(from, path[i]);
            if (!(to.get(path[i]) instanceof Map<?, ?>) && from.isEmpty()) {
                return;
            }
            to = Trees.grow(to, path[i]);
        }
        Trees.carry(from, to, path[path.length - 1]);
    }
}
