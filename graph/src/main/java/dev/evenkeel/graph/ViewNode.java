package dev.evenkeel.graph;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Computes each row from the row with the same key when it is read, and stores nothing. A change of an input row computes
 * the values before and after it, so that an equal value is not a change.
 */
final class ViewNode<K, V, R> extends Node<K, R> {
    /** The rows of an input, with other values. */
    private record Computed<K, V, R>(View<K, V> input, MapNode.Function<K, V, R> function) implements View<K, R> {
        /** Counts; the cost is proportional to the number of rows. */
        @Override
        public int size() {
            int[] size = {0};
            forEach((key, value) -> size[0]++);
            return size[0];
        }

        @Override
        public boolean contains(Object key) {
            return get(key) != null;
        }

        @Override
        @SuppressWarnings("unchecked") // what the input has is a key of it
        public @Nullable R get(Object key) {
            V value = input.get(key);
            return value == null ? null : function.apply((K) key, value);
        }

        @Override
        public void forEach(BiConsumer<? super K, ? super R> action) {
            input.forEach((key, value) -> {
                R result = function.apply(key, value);
                if (result != null) {
                    action.accept(key, result);
                }
            });
        }
    }

    private final Node<K, V> input;
    private final MapNode.Function<K, V, R> function;

    ViewNode(String operator, Node<K, V> input, MapNode.Function<K, V, R> function) {
        super(input.graph, operator, List.of(input), new Computed<>(input.rows, function));
        this.input = input;
        this.function = function;
    }

    @Override
    void step() {
        Delta<K, V> changes = input.delta;
        for (int i = 0; i < changes.size(); i++) {
            K key = changes.key(i);
            R before = compute(key, changes.before(i));
            R after = compute(key, changes.after(i));
            if (before == null ? after != null : !before.equals(after)) {
                delta.add(key, before, after);
            }
        }
    }

    private @Nullable R compute(K key, @Nullable V value) {
        if (value == null) {
            return null;
        }
        calls++;
        try {
            return function.apply(key, value);
        } catch (RuntimeException e) {
            throw new GraphException(name, key, e);
        }
    }

    @Override
    Map<K, R> full() {
        Map<K, R> all = new HashMap<>();
        input.rows.forEach((key, value) -> {
            R result = function.apply(key, value);
            if (result != null) {
                all.put(key, result);
            }
        });
        return all;
    }

    @Override
    void origins(K key, BiConsumer<Node<?, ?>, Object> visitor) {
        visitor.accept(input, key);
    }
}
