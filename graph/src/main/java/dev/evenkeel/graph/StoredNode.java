package dev.evenkeel.graph;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table whose rows are stored.
 *
 * @param <K> keys
 * @param <V> values
 */
abstract class StoredNode<K, V> extends Node<K, V> {
    final Rows<K, V> stored;

    StoredNode(Graph graph, String operator, List<Node<?, ?>> inputs) {
        this(graph, operator, inputs, Rows.in(graph.journal));
    }

    private StoredNode(Graph graph, String operator, List<Node<?, ?>> inputs, Rows<K, V> stored) {
        super(graph, operator, inputs, stored);
        this.stored = stored;
    }

    /** Sets the row of a key, at most once in a step; an equal row is not a change. */
    final void set(K key, @Nullable V after) {
        V before = stored.get(key);
        if (before == null ? after == null : after != null && before.equals(after)) {
            return;
        }
        if (after == null) {
            stored.remove(key);
        } else {
            stored.put(key, after);
        }
        delta.add(key, before, after);
    }
}
