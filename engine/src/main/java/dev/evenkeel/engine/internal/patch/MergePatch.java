package dev.evenkeel.engine.internal.patch;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.Iterator;
import java.util.List;
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
            Object current = object.get(key);
            if (current instanceof JsonObject) {
                if (value instanceof JsonObject) {
                    apply(Json.asObject(current), Json.asObject(value));
                } else {
                    object.put(key, value);
                }
            } else {
                withoutNulls(value);
                object.put(key, value);
            }
        });
        SortedKeys.sort(object);
    }

    private static void withoutNulls(@Nullable Object tree) {
        if (tree instanceof JsonObject) {
            JsonObject object = Json.asObject(tree);
            for (Iterator<@Nullable Object> values = object.values().iterator(); values.hasNext(); ) {
                Object value = values.next();
                if (value == null) {
                    values.remove();
                } else {
                    withoutNulls(value);
                }
            }
            SortedKeys.sort(object);
        } else if (tree instanceof List<?> list) {
            list.forEach(MergePatch::withoutNulls);
        }
    }
}
