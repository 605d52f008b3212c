package dev.evenkeel.policy.internal.sharing;

import org.jspecify.annotations.Nullable;

/**
 * One instance for equal values that recur, such as names and values of labels: a cluster has many objects with the same
 * ones, which were read separately.
 *
 * <p>A value has one place in a table of fixed size, where it replaces what was there. So there is nothing to remove, values
 * that do not recur cost a comparison, and at most as many are kept as the table has places. Threads may overwrite each
 * other's values; values must be immutable objects with final fields.
 */
public final class Shared {
    private static final int PLACES = 1 << 13;
    private static final @Nullable Object[] RECENT = new Object[PLACES];

    private Shared() {}

    /** Returns an equal value: an earlier one, or this one. */
    @SuppressWarnings("unchecked") // equal values of these classes have the same class
    public static <T> T of(T value) {
        int hash = value.hashCode();
        int place = ((hash ^ (hash >>> 16)) * 0x9E3779B9) >>> Integer.numberOfLeadingZeros(PLACES - 1);
        Object recent = RECENT[place];
        if (value.equals(recent) && recent.getClass() == value.getClass()) {
            return (T) recent;
        }
        RECENT[place] = value;
        return value;
    }
}
