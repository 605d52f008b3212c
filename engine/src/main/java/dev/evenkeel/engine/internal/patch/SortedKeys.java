package dev.evenkeel.engine.internal.patch;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;

/**
 * Sorts the keys of objects that a patch looked into, as upstream does, and leaves the rest unchanged. Messages show
 * that order, and custom resources are stored sorted anyway.
 */
final class SortedKeys {
    private SortedKeys() {}

    static void sort(JsonObject object) {
        String before = "";
        boolean sorted = true;
        for (String key : object.keySet()) {
            sorted &= Json.KEY_ORDER.compare(before, key) <= 0;
            before = key;
        }
        if (sorted) {
            return;
        }
        object.sort(Json.KEY_ORDER);
    }
}
