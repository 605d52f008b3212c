package dev.evenkeel.engine.internal.patch;

import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lists for strategic merge: sets of scalars, or objects identified by the value of one key. */
final class StrategicList {
    private StrategicList() {}

    /** Returns the list with the changes merged in. */
    static List<@Nullable Object> merge(List<@Nullable Object> list, List<@Nullable Object> changes, PatchRule rule) {
        if (list.isEmpty() && changes.isEmpty()) {
            return list;
        }
        if (holdsObjects(list, changes)) {
            return mergeObjects(list, changes, rule);
        }
        Set<@Nullable Object> both = new LinkedHashSet<>(list);
        both.addAll(changes);
        return ordered(both, changes, list, rule.mergeKey());
    }

    /** Returns the list without these values. */
    static List<@Nullable Object> delete(List<@Nullable Object> list, List<@Nullable Object> values, PatchRule rule) {
        if (list.isEmpty() && values.isEmpty()) {
            return list;
        }
        if (holdsObjects(list, values)) {
            // upstream does not support this, and merges
            return mergeObjects(list, values, rule);
        }
        list.removeAll(new HashSet<>(values));
        return list;
    }

    private static List<@Nullable Object> mergeObjects(
            List<@Nullable Object> list, List<@Nullable Object> changes, PatchRule rule) {
        String mergeKey = rule.mergeKey();
        if (mergeKey.isEmpty()) {
            throw Refusal.internal("cannot merge lists without merge key for " + PatchRule.goKind(rule.schema()));
        }
        List<@Nullable Object> items = new ArrayList<>(changes.size());
        Set<@Nullable Object> deleted = new HashSet<>();
        boolean replace = false;
        for (Object change : changes) {
            JsonObject item = Json.asObject(change);
            if (!item.containsKey(StrategicMergePatch.DIRECTIVE)) {
                items.add(item);
                continue;
            }
            Object directive = item.get(StrategicMergePatch.DIRECTIVE);
            if (StrategicMergePatch.DELETE.equals(directive)) {
                deleted.add(key(item, mergeKey));
            } else if (StrategicMergePatch.REPLACE.equals(directive)) {
                replace = true;
            } else if (StrategicMergePatch.MERGE.equals(directive)) {
                throw Refusal.internal("merging lists cannot yet be specified in the patch");
            } else {
                throw StrategicMergePatch.unknownDirective(directive, item);
            }
        }
        if (replace) {
            items.forEach(item -> key(item, mergeKey));
            return items;
        }
        list.removeIf(item ->
                item instanceof JsonObject map && map.containsKey(mergeKey) && deleted.contains(map.get(mergeKey)));
        List<@Nullable Object> merged = new ArrayList<>(list);
        Map<@Nullable Object, Integer> places = places(merged, mergeKey);
        for (Object change : items) {
            JsonObject item = Json.asObject(change);
            Integer place = places.putIfAbsent(key(item, mergeKey), merged.size());
            if (place == null) {
                merged.add(item);
            } else {
                merged.set(place, StrategicMergePatch.apply(Json.asObject(merged.get(place)), item, rule.schema()));
            }
        }
        return ordered(merged, items, list, mergeKey);
    }

    /**
     * Refuses a patch whose items are not in the order that it sets itself, or are not part of it.
     *
     * @param mergeKey empty for scalars
     */
    static void checkOrder(List<@Nullable Object> changes, List<@Nullable Object> order, String mergeKey) {
        if (order.isEmpty() || changes.isEmpty()) {
            return;
        }
        List<@Nullable Object> kept = new ArrayList<>(changes.size());
        for (Object change : changes) {
            if (!mergeKey.isEmpty() && !(change instanceof JsonObject)) {
                throw badType("map[string]interface {}", change);
            }
            if (!(change instanceof JsonObject item)
                    || !StrategicMergePatch.DELETE.equals(item.get(StrategicMergePatch.DIRECTIVE))) {
                kept.add(change);
            }
        }
        int next = 0;
        for (int place = 0; next < kept.size() && place < order.size(); ) {
            if (StrategicMergePatch.isDirective(kept.get(next))) {
                next++;
            } else if (Objects.equals(identity(kept.get(next), mergeKey), identity(order.get(place++), mergeKey))) {
                next++;
            }
        }
        if (next < kept.size()) {
            throw Refusal.internal("The order in patch list:\n" + GoFormat.of(changes) + "\n doesn't match "
                    + StrategicMergePatch.SET_ELEMENT_ORDER + " list:\n" + GoFormat.of(order) + "\n");
        }
    }

    /**
     * Returns the merged list in the order that a patch has set; items that it does not mention keep their position.
     */
    static List<@Nullable Object> ordered(
            List<@Nullable Object> merged,
            List<@Nullable Object> order,
            List<@Nullable Object> list,
            List<@Nullable Object> changes,
            String mergeKey) {
        if (list.isEmpty() && changes.isEmpty()) {
            throw Refusal.internal("no elements in any of the given slices");
        }
        if (holdsObjects(list, changes) || !mergeKey.isEmpty()) {
            order.forEach(item -> key(item, mergeKey));
        }
        return ordered(merged, order, list, mergeKey);
    }

    /**
     * Returns the items in the order of the patch, and between them those that only the list has: before the first item
     * of the patch that followed them in the list.
     */
    private static List<@Nullable Object> ordered(
            Collection<@Nullable Object> merged,
            List<@Nullable Object> patchOrder,
            List<@Nullable Object> listOrder,
            String mergeKey) {
        Map<@Nullable Object, Integer> inPatch = places(patchOrder, mergeKey);
        Map<@Nullable Object, Integer> inList = places(listOrder, mergeKey);
        List<@Nullable Object> patched = new ArrayList<>(merged.size());
        List<@Nullable Object> others = new ArrayList<>(merged.size());
        for (Object item : merged) {
            (inPatch.containsKey(identity(item, mergeKey)) ? patched : others).add(item);
        }
        patched.sort(Comparator.comparingInt(item -> inPatch.getOrDefault(identity(item, mergeKey), -1)));
        others.sort(Comparator.comparingInt(item -> inList.getOrDefault(identity(item, mergeKey), -1)));

        List<@Nullable Object> result = new ArrayList<>(merged.size());
        int next = 0;
        for (Object item : patched) {
            Integer place = inList.get(identity(item, mergeKey));
            while (place != null && next < others.size()) {
                Integer other = inList.get(identity(others.get(next), mergeKey));
                if (other == null || other >= place) {
                    break;
                }
                result.add(others.get(next++));
            }
            result.add(item);
        }
        result.addAll(others.subList(next, others.size()));
        return result;
    }

    /** Returns the first index of each item. */
    private static Map<@Nullable Object, Integer> places(List<@Nullable Object> list, String mergeKey) {
        Map<@Nullable Object, Integer> places = HashMap.newHashMap(list.size());
        for (int i = 0; i < list.size(); i++) {
            places.putIfAbsent(identity(list.get(i), mergeKey), i);
        }
        return places;
    }

    private static @Nullable Object identity(@Nullable Object item, String mergeKey) {
        return mergeKey.isEmpty() ? item : key(item, mergeKey);
    }

    private static @Nullable Object key(@Nullable Object item, String mergeKey) {
        if (!(item instanceof JsonObject map)) {
            throw badType("map[string]interface {}", item);
        }
        if (!map.containsKey(mergeKey)) {
            throw Refusal.internal("map: " + GoFormat.of(map) + " does not contain declared merge key: " + mergeKey);
        }
        return map.get(mergeKey);
    }

    /** Returns true if the items are objects; all must be of one type, and none a list. */
    private static boolean holdsObjects(List<@Nullable Object> list, List<@Nullable Object> changes) {
        Object first = list.isEmpty() ? changes.getFirst() : list.getFirst();
        if (first instanceof List) {
            throw Refusal.unprocessable();
        }
        String type = GoTypes.type(first);
        if (!Stream.of(list, changes).flatMap(List::stream).map(GoTypes::type).allMatch(type::equals)) {
            throw Refusal.internal("list element types are not identical: " + GoFormat.of(List.of(list, changes)));
        }
        return first instanceof JsonObject;
    }

    static RuntimeException badType(String expected, @Nullable Object actual) {
        String type = actual == null ? "%!s(<nil>)" : GoTypes.type(actual);
        return Refusal.internal("expected a " + expected + ", but received a " + type);
    }
}
