package dev.evenkeel.engine.internal.cel;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A map of CEL, or an object. Values are created on access, and may be a {@link Problem}. */
interface MapValue {
    int size();

    /** Returns the keys, in a stable order. */
    List<Object> keys();

    /** Returns the value of a key; null when there is none. */
    @Nullable
    Object find(Object key);

    /** Returns the value of a key, or a {@link Problem}. */
    default Object get(Object key) {
        Object found = find(key);
        return found == null ? new Problem("no such key: " + Texts.plain(key)) : found;
    }

    /** Compares with another map: true, false or a {@link Problem}. */
    default Object equalTo(MapValue other) {
        if (size() != other.size()) {
            return false;
        }
        for (Object key : keys()) {
            Object mine = find(key);
            Object its = other.find(key);
            if (mine == null || its == null) {
                return false;
            }
            Object equal = Equality.of(mine, its);
            if (!Boolean.TRUE.equals(equal)) {
                return equal;
            }
        }
        return true;
    }

    /** Returns a map of entries; keys must be normal, see {@link Equality#key}. */
    static MapValue of(Map<Object, Object> entries) {
        return new Entries(entries);
    }

    /** A map of existing entries, in their order. */
    record Entries(Map<Object, Object> entries) implements MapValue {
        @Override
        public int size() {
            return entries.size();
        }

        @Override
        public List<Object> keys() {
            return List.copyOf(entries.keySet());
        }

        @Override
        public @Nullable Object find(Object key) {
            return entries.get(Equality.key(key));
        }
    }
}
