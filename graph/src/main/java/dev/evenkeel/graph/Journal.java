package dev.evenkeel.graph;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The changes of all {@link Rows} of a graph since a step began, to undo them. All state of operators is in rows, so
 * undoing these restores the graph, whatever an operator had done when its step failed.
 */
final class Journal {
    /** The length above which the arrays are not kept for the next step. */
    private static final int KEPT = 1 << 14;

    private @Nullable Object[] entries = new Object[48];
    private int size;

    /** Records that a key had this value, or none. */
    void record(Rows<?, ?> rows, Object key, @Nullable Object before) {
        if (size == entries.length) {
            entries = Arrays.copyOf(entries, size * 2);
        }
        entries[size] = rows;
        entries[size + 1] = key;
        entries[size + 2] = before;
        size += 3;
    }

    /** Restores the state at the last {@link #clear}. */
    void rollBack() {
        for (int i = size - 3; i >= 0; i -= 3) {
            Object key = entries[i + 1];
            if (entries[i] instanceof Rows<?, ?> rows && key != null) {
                rows.restore(key, entries[i + 2]);
            }
        }
        clear();
    }

    void clear() {
        if (entries.length > KEPT) {
            entries = new Object[48];
        } else {
            Arrays.fill(entries, 0, size, null);
        }
        size = 0;
    }
}
