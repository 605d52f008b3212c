package dev.evenkeel.graph;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table: stored as {@link Rows}, or computed from other state when they are read.
 *
 * @param <K> keys
 * @param <V> values
 */
interface View<K, V> {
    int size();

    boolean contains(Object key);

    @Nullable
    V get(Object key);

    void forEach(BiConsumer<? super K, ? super V> action);
}
