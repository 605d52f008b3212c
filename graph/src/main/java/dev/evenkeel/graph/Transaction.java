package dev.evenkeel.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The changes of one step. Only the last change of a key counts; a key that has its former value at the end is
 * unchanged. Valid until the function returns that {@link Graph#transact} passed it to.
 */
public final class Transaction {
    private final Graph graph;
    private final List<InputNode<?, ?>> synced = new ArrayList<>();
    private boolean ended;

    Transaction(Graph graph) {
        this.graph = graph;
    }

    /** Returns the value of a key, with the changes of this transaction. */
    public <K, V> Optional<V> get(Input<K, V> input, K key) {
        check(input);
        return Optional.ofNullable(input.node.rows.get(key));
    }

    /** Sets the value of a key. */
    public <K, V> Transaction put(Input<K, V> input, K key, V value) {
        check(input);
        if (value == null) {
            throw new IllegalArgumentException(
                    "the value of key " + key + " of " + input.node.name + " is null: use remove");
        }
        input.input().change(key, value);
        return this;
    }

    /** Removes a key, if it is present. */
    public <K> Transaction remove(Input<K, ?> input, K key) {
        check(input);
        input.input().change(key, null);
        return this;
    }

    /**
     * Replaces the content of an input, such as after a new list. Only differences are changes: a row that is equal in both
     * is not removed at any time.
     */
    public <K, V> Transaction replace(Input<K, V> input, Map<? extends K, ? extends V> snapshot) {
        check(input);
        List<K> absent = new ArrayList<>();
        input.node.rows.forEach((key, value) -> {
            if (!snapshot.containsKey(key)) {
                absent.add(key);
            }
        });
        snapshot.forEach((key, value) -> put(input, key, value));
        absent.forEach(key -> remove(input, key));
        return this;
    }

    /** Notes that an input has its complete content: {@linkplain Graph#inSync barriers} may open at the end of this step. */
    public Transaction synced(Input<?, ?> input) {
        check(input);
        synced.add(input.input());
        return this;
    }

    private void check(Input<?, ?> input) {
        if (ended) {
            throw new IllegalStateException("the transaction has ended: call Graph.transact again");
        }
        InputNode<?, ?> unused = graph.checked(input);
    }

    void end() {
        ended = true;
    }

    void commit() {
        for (InputNode<?, ?> input : synced) {
            if (!input.synced) {
                input.synced = true;
                graph.wakeAll();
            }
        }
    }
}
