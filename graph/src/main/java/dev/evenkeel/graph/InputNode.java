package dev.evenkeel.graph;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The rows that transactions put and remove. */
final class InputNode<K, V> extends StoredNode<K, V> {
    private Touched<K, V> touched = new Touched<>();
    boolean synced;

    InputNode(Graph graph) {
        super(graph, "input", List.of());
    }

    void change(K key, @Nullable V value) {
        V before = rows.get(key);
        if (value == null ? before == null : value.equals(before)) {
            return;
        }
        touched.add(key, before);
        if (value == null) {
            stored.remove(key);
        } else {
            stored.put(key, value);
        }
        graph.queue(this);
    }

    @Override
    void step() {
        touched.addTo(delta, rows);
        touched = new Touched<>();
    }

    /** Forgets the changes of a transaction that is rolled back. */
    @Override
    void discard() {
        touched = new Touched<>();
    }

    @Override
    Map<K, V> full() {
        Map<K, V> all = new HashMap<>();
        rows.forEach(all::put);
        return all;
    }

    @Override
    void origins(K key, BiConsumer<Node<?, ?>, Object> visitor) {
        // an input is not computed
    }
}
