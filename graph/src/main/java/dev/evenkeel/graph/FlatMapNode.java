package dev.evenkeel.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Computes any number of elements from each row; the keys of the result are the elements, its values their weights:
 * how often they were computed. The weights are reference counts: an element is removed with the last row that has it.
 */
final class FlatMapNode<K, V, X> extends StoredNode<X, Integer> {
    /** Returns the elements of a row. */
    @FunctionalInterface
    interface Function<K, V, X> {
        List<X> apply(K key, V value);
    }

    private static final Object[] NONE = {};

    private final Node<K, V> input;
    private final Function<K, V, X> function;
    private final Rows<K, Object[]> elements;

    FlatMapNode(String operator, Node<K, V> input, Function<K, V, X> function) {
        super(input.graph, operator, List.of(input));
        this.input = input;
        this.function = function;
        this.elements = Rows.in(graph.journal);
    }

    @Override
    void step() {
        Touched<X, Integer> touched = new Touched<>();
        Delta<K, V> changes = input.delta;
        for (int i = 0; i < changes.size(); i++) {
            K key = changes.key(i);
            Object[] after = compute(key, changes.after(i));
            Object[] before = after.length == 0 ? elements.remove(key) : elements.put(key, after);
            if (Arrays.equals(before == null ? NONE : before, after)) {
                continue;
            }
            // first the new elements: those that stay keep their rows
            add(after, 1, touched);
            if (before != null) {
                add(before, -1, touched);
            }
        }
        touched.addTo(delta, rows);
    }

    @SuppressWarnings("unchecked")
    private void add(Object[] all, int weight, Touched<X, Integer> touched) {
        for (Object one : all) {
            X element = (X) one;
            Integer before = rows.get(element);
            touched.add(element, before);
            int after = Math.addExact(before == null ? 0 : before, weight);
            if (after == 0) {
                stored.remove(element);
            } else {
                stored.put(element, after);
            }
        }
    }

    private Object[] compute(K key, @Nullable V value) {
        Object[] result = NONE;
        if (value != null) {
            calls++;
            try {
                result = function.apply(key, value).toArray();
            } catch (RuntimeException e) {
                failed(key, e);
                return NONE;
            }
        }
        succeeded(key);
        return result;
    }

    /** Returns the pairs of a left side and each right side. */
    static <A, B> List<Pair<A, B>> pairs(A left, Iterable<? extends B> rights) {
        List<Pair<A, B>> pairs = new ArrayList<>();
        for (B right : rights) {
            pairs.add(new Pair<>(left, right));
        }
        return pairs;
    }

    @Override
    Map<X, Integer> full() {
        Map<X, Integer> all = new HashMap<>();
        input.rows.forEach((key, value) -> {
            if (!failures.contains(key)) {
                function.apply(key, value).forEach(element -> all.merge(element, 1, Integer::sum));
            }
        });
        return all;
    }

    @Override
    void origins(X element, BiConsumer<Node<?, ?>, Object> visitor) {
        elements.forEach((key, all) -> {
            if (Arrays.asList(all).contains(element)) {
                visitor.accept(input, key);
            }
        });
    }
}
