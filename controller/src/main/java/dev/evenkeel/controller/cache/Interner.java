package dev.evenkeel.controller.cache;

import org.jspecify.annotations.Nullable;

/**
 * Replaces equal values by one instance. It remembers a limited number of them, the later one where two have the same
 * slot: frequent values are nearly always present, and no clean-up is needed. It begins small, and is cleared each time
 * it grows. Thread-safe: a race costs a copy.
 */
final class Interner<T> {
    private static final int FIRST = 64;
    private static final int LAST = 4096;

    private @Nullable Object[] places = new Object[FIRST];
    private int remembered;

    @SuppressWarnings("unchecked")
    T intern(T value) {
        int hash = value.hashCode();
        @Nullable Object[] now = places;
        int place = (hash ^ hash >>> 16) & now.length - 1;
        Object present = now[place];
        if (value.equals(present)) {
            return (T) present;
        }
        now[place] = value;
        if (now.length < LAST && ++remembered > now.length) {
            places = new Object[now.length * 4];
            remembered = 0;
        }
        return value;
    }
}
