package dev.evenkeel.graph;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Computes a row for each group of rows. It keeps the group of each row, and the accumulator of each group: an
 * immutable value, so that a step can be undone.
 */
final class GroupNode<K, V, G, A, R> extends StoredNode<G, R> {
    /** The rows of a group. */
    private record Group<A>(int size, A accumulator) {}

    private final Node<K, V> input;
    private final MapNode.Function<? super K, ? super V, ? extends G> function;
    private final Aggregate<? super K, ? super V, A, ? extends R> aggregate;
    private final Rows<K, G> groupOf;
    private final Rows<G, Group<A>> groups;

    GroupNode(
            String operator,
            Node<K, V> input,
            MapNode.Function<? super K, ? super V, ? extends G> function,
            Aggregate<? super K, ? super V, A, ? extends R> aggregate) {
        super(input.graph, operator, List.of(input));
        this.input = input;
        this.function = function;
        this.aggregate = aggregate;
        this.groupOf = Rows.in(graph.journal);
        this.groups = Rows.in(graph.journal);
    }

    @Override
    void step() {
        Rows<G, G> touched = Rows.scratch();
        Delta<K, V> changes = input.delta;
        for (int i = 0; i < changes.size(); i++) {
            K key = changes.key(i);
            V before = changes.before(i);
            G old = groupOf.get(key);
            if (before != null && old != null) {
                remove(old, key, before);
                touched.put(old, old);
            }
            G current = add(key, changes.after(i));
            if (current == null) {
                groupOf.remove(key);
            } else {
                groupOf.put(key, current);
                touched.put(current, current);
            }
        }
        touched.forEach((group, same) -> set(group, result(group)));
    }

    private void remove(G name, K key, V value) {
        Group<A> group = Objects.requireNonNull(groups.get(name));
        if (group.size() == 1) {
            groups.remove(name);
            return;
        }
        calls++;
        try {
            groups.put(name, new Group<>(group.size() - 1, aggregate.remove(group.accumulator(), key, value)));
        } catch (RuntimeException e) {
            // the accumulator still has the row: the group's value would be wrong
            throw new GraphException(this.name, key, e);
        }
    }

    /** Adds a row to its group; returns that, null if there is none. */
    private @Nullable G add(K key, @Nullable V value) {
        G name = null;
        if (value != null) {
            calls++;
            try {
                name = function.apply(key, value);
                if (name != null) {
                    Group<A> group = groups.get(name);
                    A accumulator = group == null ? aggregate.empty() : group.accumulator();
                    groups.put(
                            name,
                            new Group<>(group == null ? 1 : group.size() + 1, aggregate.add(accumulator, key, value)));
                }
            } catch (RuntimeException e) {
                failed(new Row(key), e);
                return null;
            }
        }
        if (failures.size() > 0) {
            succeeded(new Row(key));
        }
        return name;
    }

    private @Nullable R result(G name) {
        Group<A> group = groups.get(name);
        R result = null;
        if (group != null) {
            calls++;
            try {
                result = aggregate.result(group.accumulator());
            } catch (RuntimeException e) {
                failed(name, e);
                return null;
            }
        }
        succeeded(name);
        return result;
    }

    /** A row of the input as the key of a failure: other keys of this table are groups. */
    private record Row(Object key) {
        @Override
        public String toString() {
            return "row " + key;
        }
    }

    @Override
    Map<G, R> full() {
        Map<G, A> accumulators = new HashMap<>();
        input.rows.forEach((key, value) -> {
            G name = failures.contains(new Row(key)) ? null : function.apply(key, value);
            if (name != null) {
                A accumulator = accumulators.get(name);
                accumulators.put(
                        name, aggregate.add(accumulator == null ? aggregate.empty() : accumulator, key, value));
            }
        });
        Map<G, R> all = new HashMap<>();
        accumulators.forEach((name, accumulator) -> {
            R result = failures.contains(name) ? null : aggregate.result(accumulator);
            if (result != null) {
                all.put(name, result);
            }
        });
        return all;
    }

    @Override
    void origins(G group, BiConsumer<Node<?, ?>, Object> visitor) {
        reverse(groupOf, group, input, visitor);
    }
}
