package dev.evenkeel.benchmarks;

import dev.evenkeel.graph.Cursor;
import dev.evenkeel.graph.Graph;
import dev.evenkeel.graph.Input;
import dev.evenkeel.graph.LabelPredicate;
import dev.evenkeel.graph.Pair;
import dev.evenkeel.graph.Relation;
import dev.evenkeel.graph.Sink;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Keeps the pairs of selectors and pods that match, where pods inherit labels from a namespace. */
interface MatchUnderTest {
    /** A selector: all labels are there, with one of the values unless these are empty. */
    record Selector(Map<String, Set<String>> required) implements LabelPredicate {
        @Override
        public boolean matches(UnaryOperator<@Nullable String> labels) {
            for (Map.Entry<String, Set<String>> one : required.entrySet()) {
                String value = labels.apply(one.getKey());
                if (value == null
                        || !(one.getValue().isEmpty() || one.getValue().contains(value))) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public Set<String> names() {
            return required.keySet();
        }
    }

    record Pod(String namespace, Map<String, String> labels) {}

    void selector(String key, Selector selector);

    void pod(String key, Pod pod);

    void namespace(String key, Map<String, String> labels);

    /** Returns the number of pairs that have come or gone since the last call. */
    int changes();

    /** A graph whose sink is read after each change. */
    final class OnGraph implements MatchUnderTest {
        private final Graph graph = Graph.create();
        private final Input<String, Selector> selectors = graph.input("selectors");
        private final Input<String, Pod> pods = graph.input("pods");
        private final Input<String, Map<String, String>> namespaces = graph.input("namespaces");
        private final Cursor<Pair<String, String>> cursor;

        OnGraph() {
            Relation<String, String> matches = graph.match(
                    selectors,
                    pods.inherit((key, pod) -> pod.labels(), (key, pod) -> List.of(pod.namespace()), namespaces));
            Sink<Pair<String, String>> sink = graph.<Pair<String, String>>sink("matches")
                    .emit("match", matches, (pair, weight) -> pair, pair -> pair);
            cursor = sink.open();
        }

        @Override
        public void selector(String key, Selector selector) {
            graph.transact(tx -> tx.put(selectors, key, selector));
        }

        @Override
        public void pod(String key, Pod pod) {
            graph.transact(tx -> tx.put(pods, key, pod));
        }

        @Override
        public void namespace(String key, Map<String, String> labels) {
            graph.transact(tx -> tx.put(namespaces, key, labels));
        }

        @Override
        public int changes() {
            return cursor.poll().messages().size();
        }
    }

    /** The straightforward way: an index by object, and a recomputation of all that a changed object may match. */
    final class Recomputed implements MatchUnderTest {
        private final Map<String, Selector> selectors = new HashMap<>();
        private final Map<String, Pod> pods = new HashMap<>();
        private final Map<String, Map<String, String>> namespaces = new HashMap<>();
        private final Map<String, Set<String>> podsOf = new HashMap<>();
        private final Map<String, Set<String>> matchesOf = new HashMap<>();
        private int changes;

        @Override
        public void selector(String key, Selector selector) {
            selectors.put(key, selector);
            pods.forEach((name, pod) -> match(key, selector, name, pod));
        }

        @Override
        public void pod(String key, Pod pod) {
            Pod before = pods.put(key, pod);
            if (pod.equals(before)) {
                return;
            }
            if (before != null) {
                podsOf.getOrDefault(before.namespace(), new HashSet<>()).remove(key);
            }
            podsOf.computeIfAbsent(pod.namespace(), absent -> new HashSet<>()).add(key);
            selectors.forEach((name, selector) -> match(name, selector, key, pod));
        }

        @Override
        public void namespace(String key, Map<String, String> labels) {
            namespaces.put(key, labels);
            for (String name : podsOf.getOrDefault(key, Set.of())) {
                Pod pod = Objects.requireNonNull(pods.get(name));
                selectors.forEach((selector, one) -> match(selector, one, name, pod));
            }
        }

        private void match(String key, Selector selector, String name, Pod pod) {
            Map<String, String> inherited = namespaces.getOrDefault(pod.namespace(), Map.of());
            boolean matches = selector.matches(label -> {
                String own = pod.labels().get(label);
                return own == null ? inherited.get(label) : own;
            });
            if (matches) {
                if (matchesOf.computeIfAbsent(key, absent -> new HashSet<>()).add(name)) {
                    changes++;
                }
            } else if (matchesOf.getOrDefault(key, new HashSet<>()).remove(name)) {
                changes++;
            }
        }

        @Override
        public int changes() {
            int all = changes;
            changes = 0;
            return all;
        }
    }
}
