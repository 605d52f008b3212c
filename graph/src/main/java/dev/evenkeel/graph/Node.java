package dev.evenkeel.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The state of a table: its rows, and the operator that computes them from the rows of its inputs.
 *
 * <p>An operator has two definitions that must agree: {@link #step} changes the rows by the inputs' deltas, {@link
 * #full} computes them from the inputs' rows. In {@code step} the rows of the inputs are those after the step, as
 * inputs have a smaller height.
 *
 * @param <K> keys
 * @param <V> values
 */
abstract class Node<K, V> implements Observed<K, V> {
    final Graph graph;
    final String operator;
    final List<Node<?, ?>> inputs;

    /** The length of the longest path to an input. */
    final int height;

    final View<K, V> rows;
    final Delta<K, V> delta = new Delta<>();
    final Rows<Object, RuntimeException> failures;
    final List<Node<?, ?>> dependents = new ArrayList<>();
    final List<Listener<K, V>> listeners = new ArrayList<>();

    String name;
    boolean queued;

    /** Calls of the operator's function, in the current step and before it. */
    long calls;

    long earlierCalls;
    long steps;
    long changes;
    long lastCalls;
    int lastChanges;

    /** Observes the changes of a table at the end of each successful step. */
    @FunctionalInterface
    interface Listener<K, V> {
        void changed(Delta<K, V> delta);
    }

    Node(Graph graph, String operator, List<Node<?, ?>> inputs, View<K, V> rows) {
        this.graph = graph;
        this.operator = operator;
        this.inputs = inputs;
        this.height = inputs.stream().mapToInt(input -> input.height + 1).max().orElse(0);
        this.rows = rows;
        this.failures = Rows.in(graph.journal);
        this.name = operator;
    }

    @Override
    public final @Nullable V get(K key) {
        return rows.get(key);
    }

    @Override
    public final void forEach(BiConsumer<? super K, ? super V> action) {
        rows.forEach(action);
    }

    @Override
    public final void listen(Listener<K, V> listener) {
        listeners.add(listener);
    }

    @Override
    public final void ignore(Listener<K, V> listener) {
        listeners.remove(listener);
    }

    /** Applies the deltas of the inputs to the rows, and adds the changes to the delta. */
    abstract void step();

    /** Computes the rows from the rows of the inputs, without use of own state. */
    abstract Map<K, V> full();

    /** Passes the rows of the inputs that the row of a key is computed from. */
    abstract void origins(K key, BiConsumer<Node<?, ?>, Object> visitor);

    /** Notes that the function succeeded for a key, or that the key is absent. */
    final void succeeded(Object key) {
        if (failures.size() > 0) {
            failures.remove(key);
        }
    }

    /** Fails the step or the key. */
    final void failed(Object key, RuntimeException cause) {
        if (graph.failureMode == FailureMode.ROLL_BACK) {
            throw new GraphException(name, key, cause);
        }
        failures.put(key, cause);
    }

    /** Forgets what is not in rows, of a step that is rolled back. */
    void discard() {
        // most operators have all their state in rows
    }

    /** Adds the counters of the step that ends to those of earlier ones. */
    final void count() {
        lastCalls = calls;
        lastChanges = delta.size();
        earlierCalls += calls;
        changes += delta.size();
        steps++;
        calls = 0;
    }

    /** Passes the rows of a function's keys from which it computed the given result. */
    static <K> void reverse(
            Rows<K, ?> inputs, Object result, Node<?, ?> input, BiConsumer<Node<?, ?>, Object> visitor) {
        inputs.forEach((key, value) -> {
            if (value.equals(result)) {
                visitor.accept(input, key);
            }
        });
    }
}
