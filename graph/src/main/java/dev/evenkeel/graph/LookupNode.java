package dev.evenkeel.graph;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Computes each row from the row with the same key, and the row of another table to which that refers: joins by
 * reference. It keeps the reference of each left row, and an index from references to left rows.
 */
final class LookupNode<K, V, J, W, R> extends StoredNode<K, R> {
    private final Node<K, V> left;
    private final Node<J, W> right;
    private final MapNode.Function<? super K, ? super V, ? extends J> reference;
    private final Combiner<V, W, R> combiner;
    private final Rows<K, J> references;
    private final Rows<J, Rows<K, K>> referrers;

    LookupNode(
            String operator,
            Node<K, V> left,
            Node<J, W> right,
            MapNode.Function<? super K, ? super V, ? extends J> reference,
            Combiner<V, W, R> combiner) {
        super(left.graph, operator, List.of(left, right));
        this.left = left;
        this.right = right;
        this.reference = reference;
        this.combiner = combiner;
        this.references = Rows.in(graph.journal);
        this.referrers = Rows.in(graph.journal);
    }

    @Override
    void step() {
        Delta<K, V> lefts = left.delta;
        for (int i = 0; i < lefts.size(); i++) {
            update(lefts.key(i), lefts.after(i));
        }
        Delta<J, W> rights = right.delta;
        if (rights.size() == 0) {
            return;
        }
        Rows<K, K> done = Rows.scratch();
        for (int i = 0; i < lefts.size(); i++) {
            done.put(lefts.key(i), lefts.key(i));
        }
        for (int i = 0; i < rights.size(); i++) {
            Rows<K, K> keys = referrers.get(rights.key(i));
            for (int slot = 0; keys != null && slot < keys.slots(); slot++) {
                K key = keys.keyAt(slot);
                V value = key == null || done.contains(key) ? null : left.rows.get(key);
                if (key != null && value != null) {
                    set(key, combine(key, value, rights.after(i)));
                }
            }
        }
    }

    private void update(K key, @Nullable V value) {
        J target = null;
        if (value != null) {
            calls++;
            try {
                target = reference.apply(key, value);
            } catch (RuntimeException e) {
                refer(key, null);
                failed(key, e);
                set(key, null);
                return;
            }
        }
        refer(key, target);
        if (value == null) {
            succeeded(key);
            set(key, null);
        } else {
            set(key, combine(key, value, target == null ? null : right.rows.get(target)));
        }
    }

    private @Nullable R combine(K key, V leftValue, @Nullable W rightValue) {
        calls++;
        R result;
        try {
            result = combiner.combine(leftValue, rightValue);
        } catch (RuntimeException e) {
            failed(key, e);
            return null;
        }
        succeeded(key);
        return result;
    }

    private void refer(K key, @Nullable J target) {
        J before = references.get(key);
        if (Objects.equals(before, target)) {
            return;
        }
        if (before != null) {
            Rows<K, K> keys = Objects.requireNonNull(referrers.get(before));
            keys.remove(key);
            if (keys.size() == 0) {
                referrers.remove(before);
            }
        }
        if (target == null) {
            references.remove(key);
            return;
        }
        references.put(key, target);
        Rows<K, K> keys = referrers.get(target);
        if (keys == null) {
            keys = Rows.in(graph.journal);
            referrers.put(target, keys);
        }
        keys.put(key, key);
    }

    @Override
    Map<K, R> full() {
        Map<K, R> all = new HashMap<>();
        left.rows.forEach((key, value) -> {
            if (!failures.contains(key)) {
                J target = reference.apply(key, value);
                R result = combiner.combine(value, target == null ? null : right.rows.get(target));
                if (result != null) {
                    all.put(key, result);
                }
            }
        });
        return all;
    }

    @Override
    void origins(K key, BiConsumer<Node<?, ?>, Object> visitor) {
        visitor.accept(left, key);
        J target = references.get(key);
        if (target != null && right.rows.contains(target)) {
            visitor.accept(right, target);
        }
    }
}
