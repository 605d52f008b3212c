package dev.evenkeel.engine.internal.object;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The immutable values that were seen last, to be shared by objects that have equal ones.
 *
 * <p>The problem: hundreds of pods have the same labels and the same owner, which take more memory than the entry of a pod
 * in the store. A table of all values would keep those that no object has any more; weak references cost more than most
 * values. So there is a place for each hash, for the last value with it: it costs a comparison, and its size never changes.
 *
 * <p>Used by any number of threads: one that misses a value of another has a copy of its own.
 */
final class Recent<T> {
    private static final int BITS = 12;

    private final AtomicReferenceArray<@Nullable T> places = new AtomicReferenceArray<>(1 << BITS);

    /** Returns an equal value that was given recently; else this one. */
    T shared(T value) {
        // the upper bits of the product depend on all bits
        int place = (value.hashCode() * 0x9E3779B9) >>> (Integer.SIZE - BITS);
        T known = places.get(place);
        if (known != null && known.equals(value)) {
            return known;
        }
        places.set(place, value);
        return value;
    }
}
