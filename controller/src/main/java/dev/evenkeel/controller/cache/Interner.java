package dev.evenkeel.controller.cache;

import org.jspecify.annotations.Nullable;

/**
 * Lets equal values be one. It remembers a fixed number of them, the later one where two want the same place: what is
 * frequent is nearly always there, and nothing has to be cleaned up. Safe for use by many threads: a race costs a copy.
 */
final class Interner<T> {
    private static final int PLACES = 4096;

    private final @Nullable Object[] places = new Object[PLACES];

    @SuppressWarnings("unchecked")
    T intern(T value) {
        int hash = value.hashCode();
        int place = (hash ^ hash >>> 16) & PLACES - 1;
        Object present = places[place];
        if (value.equals(present)) {
            return (T) present;
        }
        places[place] = value;
        return value;
    }
}
