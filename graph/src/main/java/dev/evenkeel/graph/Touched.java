package dev.evenkeel.graph;

import org.jspecify.annotations.Nullable;

/**
 * The keys that a step has changed, each with its value before the step, for operators that compute a row from several
 * rows of an input: these changes become one row of the delta.
 */
final class Touched<K, V> {
    private static final Object ABSENT = new Object();

    private final Rows<K, Object> before = Rows.scratch();

    /** Notes the value of a key, before its first change. */
    void add(K key, @Nullable V value) {
        if (!before.contains(key)) {
            before.put(key, value == null ? ABSENT : value);
        }
    }

    /** Adds the keys whose rows have other values now. */
    @SuppressWarnings("unchecked")
    void addTo(Delta<K, V> delta, View<K, V> rows) {
        for (int slot = 0; slot < before.slots(); slot++) {
            K key = before.keyAt(slot);
            if (key == null) {
                continue;
            }
            Object value = before.valueAt(slot);
            V after = rows.get(key);
            if (ABSENT.equals(value)) {
                if (after != null) {
                    delta.add(key, null, after);
                }
            } else if (!value.equals(after)) {
                delta.add(key, (V) value, after);
            }
        }
    }
}
