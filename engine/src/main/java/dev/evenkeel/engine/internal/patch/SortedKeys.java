package dev.evenkeel.engine.internal.patch;

import dev.evenkeel.engine.internal.json.Json;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sorts the keys of objects that a patch looked into, as upstream does, and leaves the rest unchanged. Messages show
 * that order, and custom resources are stored sorted anyway.
 */
final class SortedKeys {
    private SortedKeys() {}

    static void sort(Map<String, @Nullable Object> object) {
        String before = "";
        boolean sorted = true;
        for (String key : object.keySet()) {
            sorted &= Json.KEY_ORDER.compare(before, key) <= 0;
            before = key;
        }
        if (sorted) {
            return;
        }
        Map<String, @Nullable Object> entries = new TreeMap<>(Json.KEY_ORDER);
        entries.putAll(object);
        object.clear();
        object.putAll(entries);
    }
}
