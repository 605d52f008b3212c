package dev.evenkeel.engine.internal.cel;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A map of CEL, or an object. Values are made when they are asked for, and may be a {@link Problem}. */
interface MapValue {
    /** How many entries there are. */
    int size();

    /** The keys, in a stable order. */
    List<Object> keys();

    /** The value of a key; null when there is none. */
    @Nullable
    Object find(Object key);

    /** The value of a key, or what is wrong. */
    default Object get(Object key) {
        Object found = find(key);
        return found == null ? new Problem("no such key: " + Texts.plain(key)) : found;
    }

    /** Whether this map equals another: true, false or a {@link Problem}. */
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

    /** A map of entries; keys must be normal, see {@link Equality#key}. */
    static MapValue of(Map<Object, Object> entries) {
        return new Entries(entries);
    }

    /**
     * Entries at hand.
     *
     * @param entries the entries, in their order
     */
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
