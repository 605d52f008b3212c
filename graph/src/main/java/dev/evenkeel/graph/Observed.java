package dev.evenkeel.graph;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Rows that a part of a sink observes: those of a table, or those of one partition of it. */
interface Observed<K, V> {
    /** Returns the current value of a key. */
    @Nullable
    V get(K key);

    /** Passes all rows. */
    void forEach(BiConsumer<? super K, ? super V> action);

    /** Adds a listener of the changes of each successful step. */
    void listen(Node.Listener<K, V> listener);

    /** Removes a listener. */
    void ignore(Node.Listener<K, V> listener);
}
