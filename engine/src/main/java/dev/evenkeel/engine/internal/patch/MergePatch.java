package dev.evenkeel.engine.internal.patch;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * JSON Merge Patch, RFC 7386: objects are merged, null removes, everything else replaces.
 *
 * <p>Upstream's library is followed where it goes beyond the RFC: nulls are also removed from objects inside lists of
 * the patch, unless the list replaces an object.
 */
final class MergePatch {
    private MergePatch() {}

    /** Merges the patch into the object; both are consumed. */
    static void apply(JsonObject object, JsonObject patch) {
        patch.forEach((key, value) -> {
            if (value == null) {
                object.remove(key);
                return;
            }
            boolean replaced = object.get(key) instanceof JsonObject;
            if (replaced && value instanceof JsonObject changes) {
                apply(object.object(key), changes);
                return;
            }
            if (!replaced) {
                withoutNulls(value);
            }
            object.put(key, value);
        });
        Patches.sortKeys(object);
    }

    private static void withoutNulls(@Nullable Object tree) {
        if (tree instanceof JsonObject object) {
            object.values().removeIf(Objects::isNull);
            object.values().forEach(MergePatch::withoutNulls);
            Patches.sortKeys(object);
        } else if (tree instanceof List<?> list) {
            list.forEach(MergePatch::withoutNulls);
        }
    }
}
