package dev.evenkeel.graph;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Computes each row from the rows with the same key in two tables: joins by key, and unions. */
final class ZipNode<K, V, W, R> extends StoredNode<K, R> {
    private final Node<K, V> left;
    private final Node<K, W> right;
    private final Combiner<V, W, R> combiner;

    ZipNode(String operator, Node<K, V> left, Node<K, W> right, Combiner<V, W, R> combiner) {
        super(left.graph, operator, List.of(left, right));
        this.left = left;
        this.right = right;
        this.combiner = combiner;
    }

    @Override
    void step() {
        Delta<K, V> lefts = left.delta;
        for (int i = 0; i < lefts.size(); i++) {
            K key = lefts.key(i);
            set(key, compute(key, lefts.after(i), right.rows.get(key)));
        }
        Delta<K, W> rights = right.delta;
        if (rights.size() == 0) {
            return;
        }
        Rows<K, K> done = Rows.scratch();
        for (int i = 0; i < lefts.size(); i++) {
            done.put(lefts.key(i), lefts.key(i));
        }
        for (int i = 0; i < rights.size(); i++) {
            K key = rights.key(i);
            if (!done.contains(key)) {
                set(key, compute(key, left.rows.get(key), rights.after(i)));
            }
        }
    }

    private @Nullable R compute(K key, @Nullable V leftValue, @Nullable W rightValue) {
        R result = null;
        if (leftValue != null || rightValue != null) {
            calls++;
            try {
                result = combiner.combine(leftValue, rightValue);
            } catch (RuntimeException e) {
                failed(key, e);
                return null;
            }
        }
        succeeded(key);
        return result;
    }

    @Override
    Map<K, R> full() {
        Map<K, R> all = new HashMap<>();
        BiConsumer<K, Object> add = (key, value) -> {
            R result = failures.contains(key) ? null : combiner.combine(left.rows.get(key), right.rows.get(key));
            if (result != null) {
                all.put(key, result);
            }
        };
        left.rows.forEach(add);
        right.rows.forEach(add);
        return all;
    }

    @Override
    void origins(K key, BiConsumer<Node<?, ?>, Object> visitor) {
        if (left.rows.contains(key)) {
            visitor.accept(left, key);
        }
        if (right.rows.contains(key)) {
            visitor.accept(right, key);
        }
    }
}
