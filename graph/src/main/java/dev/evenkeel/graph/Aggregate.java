package dev.evenkeel.graph;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongBiFunction;

/**
 * Computes the value of a group of rows from an accumulator, to which rows are added and from which they are removed
 * one by one, in any order. Accumulators are immutable, as a step may be rolled back, and depend on the rows of the
 * group only, not on the order in which they came.
 *
 * @param <K> keys of the rows
 * @param <V> values of the rows
 * @param <A> accumulators
 * @param <R> values of groups
 */
public interface Aggregate<K, V, A, R> {
    /** Returns the accumulator of no rows. */
    A empty();

    /** Returns the accumulator with a row added. */
    A add(A accumulator, K key, V value);

    /** Returns the accumulator with a row removed that had been added. */
    A remove(A accumulator, K key, V value);

    /** Returns the value of a group that has at least one row. */
    R result(A accumulator);

    /** Counts rows. */
    static Aggregate<Object, Object, Integer, Integer> count() {
        return new Count();
    }

    /** Adds up a number of each row. */
    static <K, V> Aggregate<K, V, Long, Long> sum(ToLongBiFunction<? super K, ? super V> number) {
        return new Sum<>(number);
    }

    /**
     * Sorts the values. The order of the keys breaks ties, so it must distinguish all keys: the result depends on the rows
     * only. A change costs a search; the list is copied.
     */
    static <K, V> Aggregate<K, V, ?, List<V>> orderedBy(Comparator<? super V> order, Comparator<? super K> ties) {
        return new Ordered<K, V, List<V>>(
                order,
                ties,
                rows -> rows.toList().stream().map(Map.Entry::getValue).toList());
    }

    /** Returns the first value in this order. The order of the keys breaks ties, so it must distinguish all keys. */
    static <K, V> Aggregate<K, V, ?, V> first(Comparator<? super V> order, Comparator<? super K> ties) {
        return new Ordered<K, V, V>(order, ties, rows -> Ordered.first(rows).getValue());
    }

    /** Returns the keys in this order, which must distinguish all keys. */
    @SuppressWarnings("UnusedVariable") // values have no order
    static <K> Aggregate<K, Object, ?, List<K>> keys(Comparator<? super K> order) {
        return new Ordered<K, Object, List<K>>(
                (left, right) -> 0,
                order,
                rows -> rows.toList().stream().map(Map.Entry::getKey).toList());
    }
}
