package dev.evenkeel.engine.internal.patch;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Kubernetes' strategic merge patch: a merge patch that knows which lists are maps in disguise.
 *
 * <p><b>The problem.</b> A merge patch replaces lists, so a client that changes one container must send all of them,
 * and loses those that other clients have added. A type defines for each list if it merges, and by which key; the patch
 * can carry directives for changes that cannot be expressed by example:
 *
 * <ul>
 *   <li>{@code $patch: replace | delete} in an object: it replaces, or empties, the object; in an item of a merging
 *       list: {@code delete} removes the item with that key, {@code replace} makes the other items the whole list
 *   <li>{@code $deleteFromPrimitiveList/x}: values to remove from the list x
 *   <li>{@code $setElementOrder/x}: the order of the items of the list x
 *   <li>{@code $retainKeys}: the only fields that the object may keep
 * </ul>
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>Null removes, and is never added to an object that was absent before.
 *   <li>Items of a merging list are returned in the order of {@code $setElementOrder}, else of the patch, else of the
 *       object; items that only the patch has come before those that only the object has, unless specified otherwise.
 *   <li>A directive without a target is removed.
 *   <li>A patch that upstream refuses is refused with the same code and message, and one that it accepts is accepted:
 *       directives in items that are new, for instance, stay, and are unknown fields to the decoder.
 * </ol>
 *
 * <p>Single-threaded, recursive: depth is limited where the trees are parsed. Items are found by hash, so the cost is
 * linear in the merged values.
 */
final class StrategicMergePatch {
    static final String DIRECTIVE = "$patch";
    static final String DELETE = "delete";
    static final String REPLACE = "replace";
    static final String MERGE = "merge";
    static final String SET_ELEMENT_ORDER = "$setElementOrder";
    private static final String RETAIN_KEYS = "$retainKeys";
    private static final String DELETE_FROM_LIST = "$deleteFromPrimitiveList";

    private StrategicMergePatch() {}

    /** Merges the patch into the object, both of which are consumed. */
    static JsonObject apply(JsonObject object, JsonObject patch, Schema schema) {
        if (patch.containsKey(DIRECTIVE)) {
            return directed(patch);
        }
        retainKeys(object, patch);
        mergeOrderedLists(object, patch, schema);
        patch.forEach((key, value) -> {
            if (key.startsWith(DELETE_FROM_LIST)) {
                deleteFromList(object, listName(key, DELETE_FROM_LIST, "primitive list"), value, schema);
            } else if (value == null) {
                object.remove(key);
            } else {
                merge(object, key, value, schema);
            }
        });
        return object;
    }

    private static JsonObject directed(JsonObject patch) {
        Object directive = patch.get(DIRECTIVE);
        if (REPLACE.equals(directive)) {
            patch.remove(DIRECTIVE);
            return patch;
        }
        if (DELETE.equals(directive)) {
            return new JsonObject();
        }
        throw unknownDirective(directive, patch);
    }

    static RuntimeException unknownDirective(@Nullable Object directive, JsonObject patch) {
        return Refusal.internal("unknown patch type: " + GoFormat.ofText(directive) + " in map: " + GoFormat.of(patch));
    }

    private static void merge(JsonObject object, String key, Object value, Schema schema) {
        Object current = object.get(key);
        if (current instanceof JsonObject && value instanceof JsonObject) {
            PatchRule rule = PatchRule.ofObject(schema, key);
            boolean replace = rule.strategy().equals(REPLACE);
            object.put(key, replace ? value : apply(Json.asObject(current), Json.asObject(value), rule.schema()));
        } else if (current instanceof List<?> && value instanceof List<?>) {
            PatchRule rule = PatchRule.ofList(schema, key);
            boolean merges = rule.merges();
            object.put(key, merges ? StrategicList.merge(Json.asArray(current), Json.asArray(value), rule) : value);
        } else if (isDirective(value)) {
            object.remove(key);
        } else {
            dropNulls(value);
            dropDirectives(value);
            object.put(key, value);
        }
    }

    private static void deleteFromList(JsonObject object, String key, @Nullable Object values, Schema schema) {
        if (values == null) {
            object.remove(key);
        } else if (object.get(key) instanceof List<?> && values instanceof List<?>) {
            PatchRule rule = PatchRule.ofList(schema, key);
            object.put(key, StrategicList.delete(object.array(key), Json.asArray(values), rule));
        }
    }

    private static void retainKeys(JsonObject object, JsonObject patch) {
        if (!patch.containsKey(RETAIN_KEYS)) {
            return;
        }
        if (!(patch.remove(RETAIN_KEYS) instanceof List<?> list)) {
            throw Refusal.badRequest("invalid patch format of retainKeys");
        }
        Set<@Nullable Object> retained = new HashSet<>(list);
        patch.forEach((key, value) -> {
            if (value != null
                    && !key.startsWith(DELETE_FROM_LIST)
                    && !key.startsWith(SET_ELEMENT_ORDER)
                    && !retained.contains(key)) {
                throw Refusal.badRequest("invalid patch format of retainKeys");
            }
        });
        object.keySet().retainAll(retained);
    }

    /** Extracts the lists whose order is set, and their orders, from the patch. */
    private static void mergeOrderedLists(JsonObject object, JsonObject patch, Schema schema) {
        List<String> directives = patch.keySet().stream()
                .filter(key -> key.startsWith(SET_ELEMENT_ORDER))
                .toList();
        for (String directive : directives) {
            List<@Nullable Object> order = list(patch.remove(directive));
            String key = listName(directive, SET_ELEMENT_ORDER, "setElementOrder list");
            boolean inObject = object.containsKey(key);
            boolean inPatch = patch.containsKey(key);
            List<@Nullable Object> current = inObject ? list(object.get(key)) : List.of();
            List<@Nullable Object> changes = inPatch ? list(patch.get(key)) : List.of();
            PatchRule rule = PatchRule.ofList(schema, key);
            StrategicList.checkOrder(changes, order, rule.mergeKey());
            if (!inObject && !inPatch) {
                continue;
            }
            List<@Nullable Object> merged = current;
            if (inPatch && inObject) {
                merged = rule.merges() ? StrategicList.merge(new ArrayList<>(current), changes, rule) : changes;
            } else if (inPatch) {
                dropDirectives(changes);
                merged = changes;
            }
            object.put(key, StrategicList.ordered(merged, order, current, changes, rule.mergeKey()));
            patch.remove(key);
        }
    }

    private static String listName(String directive, String prefix, String what) {
        if (!directive.startsWith(prefix + "/")) {
            throw Refusal.badRequest("invalid patch format of " + what);
        }
        return directive.substring(prefix.length() + 1);
    }

    private static List<@Nullable Object> list(@Nullable Object value) {
        if (value instanceof List<?>) {
            return Json.asArray(value);
        }
        throw StrategicList.badType("[]interface {}", value);
    }

    static boolean isDirective(@Nullable Object value) {
        return value instanceof JsonObject map && map.containsKey(DIRECTIVE);
    }

    private static void dropNulls(@Nullable Object tree) {
        if (tree instanceof JsonObject map) {
            map.values().removeIf(Objects::isNull);
            map.values().forEach(StrategicMergePatch::dropNulls);
        } else if (tree instanceof List<?> list) {
            list.forEach(StrategicMergePatch::dropNulls);
        }
    }

    /** Removes the objects below that carry a directive. */
    private static void dropDirectives(@Nullable Object tree) {
        if (tree instanceof JsonObject map) {
            map.values().removeIf(StrategicMergePatch::isDirective);
            map.values().forEach(StrategicMergePatch::dropDirectives);
        } else if (tree instanceof List<?> list) {
            list.removeIf(StrategicMergePatch::isDirective);
            list.forEach(StrategicMergePatch::dropDirectives);
        }
    }
}
