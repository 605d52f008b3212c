package dev.evenkeel.engine.internal.apply;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The items of a list that is not atomic, by the elements that lead to them, in the order of the list.
 *
 * @param elements one per item; indistinguishable items have equal elements
 * @param items each element once, with its items
 */
record ItemIndex(List<PathElement> elements, Map<PathElement, List<@Nullable Object>> items) {
    static ItemIndex of(@Nullable List<?> list, OwnershipSchema shape) {
        if (list == null || list.isEmpty()) {
            return new ItemIndex(List.of(), Map.of());
        }
        List<PathElement> elements = new ArrayList<>(list.size());
        Map<PathElement, List<@Nullable Object>> items = LinkedHashMap.newLinkedHashMap(list.size());
        for (Object item : list) {
            PathElement element = shape.element(item);
            elements.add(element);
            items.computeIfAbsent(element, e -> new ArrayList<>(1)).add(item);
        }
        return new ItemIndex(elements, items);
    }

    /** Returns the items under an element; an empty list when there are none. */
    List<@Nullable Object> at(PathElement element) {
        return items.getOrDefault(element, List.of());
    }

    boolean has(PathElement element) {
        return items.containsKey(element);
    }
}
