package dev.evenkeel.graph;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Computes each row from the row with the same key: {@code map}, {@code mapNotNull}, {@code filter}. */
final class MapNode<K, V, R> extends StoredNode<K, R> {
    /** Returns null for a row that has no result. */
    @FunctionalInterface
    interface Function<K, V, R> {
        @Nullable
        R apply(K key, V value);
    }

    private final Node<K, V> input;
    private final Function<K, V, R> function;

    MapNode(String operator, Node<K, V> input, Function<K, V, R> function) {
        super(input.graph, operator, List.of(input));
        this.input = input;
        this.function = function;
    }

    @Override
    void step() {
        Delta<K, V> changes = input.delta;
        for (int i = 0; i < changes.size(); i++) {
            K key = changes.key(i);
            set(key, compute(key, changes.after(i)));
        }
    }

    private @Nullable R compute(K key, @Nullable V value) {
        R result = null;
        if (value != null) {
            calls++;
            try {
                result = function.apply(key, value);
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
        input.rows.forEach((key, value) -> {
            R result = failures.contains(key) ? null : function.apply(key, value);
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
