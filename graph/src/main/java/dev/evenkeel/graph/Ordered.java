package dev.evenkeel.graph;

import dev.evenkeel.collection.internal.PersistentTree;
import java.util.Comparator;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Computes a value from the rows in an order. */
final class Ordered<K, V, R> implements Aggregate<K, V, PersistentTree<Map.Entry<K, V>, Map.Entry<K, V>>, R> {
    private final PersistentTree<Map.Entry<K, V>, Map.Entry<K, V>> empty;
    private final Function<PersistentTree<Map.Entry<K, V>, Map.Entry<K, V>>, R> result;

    Ordered(
            Comparator<? super V> order,
            Comparator<? super K> ties,
            Function<PersistentTree<Map.Entry<K, V>, Map.Entry<K, V>>, R> result) {
        this.empty = PersistentTree.empty(new PersistentTree.Order<>() {
            @Override
            public Map.Entry<K, V> key(Map.Entry<K, V> row) {
                return row;
            }

            @Override
            public int compare(Map.Entry<K, V> left, Map.Entry<K, V> right) {
                int byValue = order.compare(left.getValue(), right.getValue());
                return byValue == 0 ? ties.compare(left.getKey(), right.getKey()) : byValue;
            }
        });
        this.result = result;
    }

    static <E> E first(PersistentTree<E, E> rows) {
        Object[] first = new Object[1];
        rows.all(row -> {
            first[0] = row;
            return false;
        });
        @SuppressWarnings("unchecked")
        E row = (E) first[0];
        return row;
    }

    @Override
    public PersistentTree<Map.Entry<K, V>, Map.Entry<K, V>> empty() {
        return empty;
    }

    @Override
    public PersistentTree<Map.Entry<K, V>, Map.Entry<K, V>> add(
            PersistentTree<Map.Entry<K, V>, Map.Entry<K, V>> rows, K key, V value) {
        Map.Entry<K, V> row = Map.entry(key, value);
        Map.@Nullable Entry<K, V> equal = rows.get(row);
        if (equal != null) {
            throw new IllegalArgumentException("the order of the keys does not distinguish " + key + " and "
                    + equal.getKey() + ": pass one that does");
        }
        return rows.put(row);
    }

    @Override
    public PersistentTree<Map.Entry<K, V>, Map.Entry<K, V>> remove(
            PersistentTree<Map.Entry<K, V>, Map.Entry<K, V>> rows, K key, V value) {
        return rows.remove(Map.entry(key, value));
    }

    @Override
    public R result(PersistentTree<Map.Entry<K, V>, Map.Entry<K, V>> rows) {
        return result.apply(rows);
    }
}
