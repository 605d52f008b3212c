package dev.evenkeel.graph;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a table in one step, in columns: at most one row for each key, each with different values before and
 * after, of which null stands for absence.
 *
 * @param <K> keys
 * @param <V> values
 */
@SuppressWarnings("unchecked")
final class Delta<K, V> {
    /** The length above which the columns are not kept for the next step. */
    private static final int KEPT = 1 << 12;

    private static final @Nullable Object[] NONE = {};

    private @Nullable Object[] columns = NONE;
    private int size;

    int size() {
        return size;
    }

    @SuppressWarnings("NullAway") // rows up to the size have keys
    K key(int row) {
        return (K) columns[3 * row];
    }

    @Nullable
    V before(int row) {
        return (V) columns[3 * row + 1];
    }

    @Nullable
    V after(int row) {
        return (V) columns[3 * row + 2];
    }

    void add(K key, @Nullable V before, @Nullable V after) {
        if (3 * size == columns.length) {
            columns = Arrays.copyOf(columns, Math.max(12, columns.length * 2));
        }
        columns[3 * size] = key;
        columns[3 * size + 1] = before;
        columns[3 * size + 2] = after;
        size++;
    }

    void clear() {
        if (columns.length > KEPT) {
            columns = NONE;
        } else {
            Arrays.fill(columns, 0, 3 * size, null);
        }
        size = 0;
    }
}
