package dev.evenkeel.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class MatchTest {
    /** All labels with sets have one of these values, or any if the set is empty, and the label {@code not} is absent. */
    private record All(Map<String, Set<String>> required, String not) implements LabelPredicate {
        @Override
        public boolean matches(UnaryOperator<@Nullable String> labels) {
            if (not.equals("throws")) {
                throw new IllegalStateException("on purpose");
            }
            return labels.apply(not) == null
                    && required.entrySet().stream().allMatch(one -> {
                        String value = labels.apply(one.getKey());
                        return value != null
                                && (one.getValue().isEmpty() || one.getValue().contains(value));
                    });
        }

        @Override
        public Set<String> names() {
            Set<String> names = new TreeSet<>(required.keySet());
            names.add(not);
            return names;
        }
    }

    private record Pod(Map<String, String> labels, List<String> parents) {}

    private final Graph graph = Graph.create();
    private final Input<String, All> selectors = graph.input("selectors");
    private final Input<String, Pod> pods = graph.input("pods");
    private final Input<String, Map<String, String>> namespaces = graph.input("namespaces");
    private final Relation<String, String> matches =
            graph.match(selectors, pods.inherit((key, pod) -> pod.labels(), (key, pod) -> pod.parents(), namespaces));

    private static All has(String... names) {
        Map<String, Set<String>> required = new TreeMap<>();
        Stream.of(names).forEach(name -> required.put(name, Set.of()));
        return new All(required, "none");
    }

    private static All is(String name, String value) {
        return new All(Map.of(name, Set.of(value)), "none");
    }

    private Set<String> matching(String selector) {
        return matches.toMap().keySet().stream()
                .filter(pair -> pair.left().equals(selector))
                .map(Pair::right)
                .collect(Collectors.toSet());
    }

    /** Returns the number of evaluations of selectors in the last step. */
    private long evaluations() {
        return matches.node.lastCalls;
    }

    @Test
    void ownLabelsHidesInheritedOnes() {
        graph.transact(tx -> tx.put(selectors, "s", is("env", "prod"))
                .put(namespaces, "ns", Map.of("env", "prod"))
                .put(namespaces, "second", Map.of("env", "test"))
                .put(pods, "inherits", new Pod(Map.of(), List.of("ns")))
                .put(pods, "own", new Pod(Map.of("env", "dev"), List.of("ns")))
                .put(pods, "first counts", new Pod(Map.of(), List.of("ns", "second")))
                .put(pods, "later counts not", new Pod(Map.of(), List.of("second", "ns")))
                .put(pods, "absent parent", new Pod(Map.of(), List.of("absent", "ns"))));
        assertThat(matching("s")).containsExactlyInAnyOrder("inherits", "first counts", "absent parent");
        graph.transact(tx -> tx.put(namespaces, "absent", Map.of("env", "x")).remove(namespaces, "second"));
        assertThat(matching("s")).containsExactlyInAnyOrder("inherits", "first counts", "later counts not");
        graph.verify();
    }

    @Test
    void rowsOfAKnownClassCostNoEvaluation() {
        graph.transact(tx -> tx.put(selectors, "s", has("app")).put(pods, "0", pod("app", "a", "id", "0")));
        graph.transact(tx -> tx.put(pods, "1", pod("app", "a", "id", "1")));
        assertThat(evaluations()).isZero();
        assertThat(matching("s")).containsExactlyInAnyOrder("0", "1");
        graph.transact(tx -> tx.put(pods, "1", pod("app", "a", "id", "other")));
        assertThat(evaluations()).isZero();
        assertThat(matches.node.lastChanges).isZero();
    }

    @Test
    void selectorsThatShareARequirementAreFoundByTheOther() {
        graph.transact(tx -> IntStream.range(0, 1000)
                .forEach(i -> tx.put(
                        selectors, "s" + i, new All(Map.of("alpha", Set.of("beta"), "set-" + i, Set.of()), "none"))));
        graph.transact(tx -> tx.put(pods, "pod", pod("alpha", "beta", "set-7", "true")));
        assertThat(evaluations()).isBetween(1L, 2L);
        assertThat(matching("s7")).containsExactly("pod");
    }

    @Test
    void selectorsAreFoundByAnotherRequirementWhenTheirsBecomesCommon() {
        graph.transact(tx -> {
            // while these are added, no other requirement is rarer than the common one
            IntStream.range(0, 100)
                    .forEach(i -> IntStream.range(0, 100)
                            .forEach(j -> tx.put(selectors, "filler-" + i + "-" + j, has("set-" + i))));
            IntStream.range(0, 100)
                    .forEach(i -> tx.put(
                            selectors,
                            "s" + i,
                            new All(Map.of("alpha", Set.of("beta"), "set-" + i, Set.of()), "none")));
            IntStream.range(0, 100)
                    .forEach(i -> IntStream.range(0, 100).forEach(j -> tx.remove(selectors, "filler-" + i + "-" + j)));
        });
        graph.transact(tx -> IntStream.range(100, 200)
                .forEach(i -> tx.put(selectors, "s" + i, new All(Map.of("alpha", Set.of("beta")), "none"))));
        graph.transact(tx -> tx.put(pods, "pod", pod("alpha", "beta", "set-7", "true")));
        // the hundred that have no other requirement, and one or two
        assertThat(evaluations()).isBetween(101L, 110L);
        assertThat(matching("s7")).containsExactly("pod");
    }

    @Test
    void namespacesWithEqualLabelsShareTheirClasses() {
        graph.transact(tx -> {
            tx.put(selectors, "s", has("app"));
            for (int i = 0; i < 1000; i++) {
                tx.put(namespaces, "ns" + i, Map.of("env", "test", "name", "ns" + i));
                tx.put(pods, "" + i, new Pod(Map.of("app", "a"), List.of("ns" + i)));
            }
        });
        graph.transact(tx -> tx.put(selectors, "both", new All(Map.of("app", Set.of("a")), "env")));
        assertThat(matches.node.lastCalls).isLessThanOrEqualTo(3);
        assertThat(matching("s")).hasSize(1000);
        assertThat(matching("both")).isEmpty();
    }

    @Test
    void aNamespaceMovesItsClassesAndNotItsPods() {
        graph.transact(tx -> {
            tx.put(selectors, "prod", is("env", "prod")).put(selectors, "app", has("app"));
            tx.put(namespaces, "ns", Map.of("env", "test"));
            for (int i = 0; i < 1000; i++) {
                tx.put(pods, "" + i, new Pod(Map.of("app", "" + i % 2, "id", "" + i), List.of("ns")));
            }
        });
        graph.transact(tx -> tx.put(namespaces, "ns", Map.of("env", "prod", "unmentioned", "x")));
        // two classes, of each of which two selectors are candidates
        assertThat(evaluations()).isLessThanOrEqualTo(4);
        assertThat(matching("prod")).hasSize(1000);
        graph.transact(tx -> tx.put(namespaces, "ns", Map.of("env", "prod", "unmentioned", "y")));
        assertThat(evaluations()).isZero();
    }

    @Test
    void aSelectorIsEvaluatedForTheFewestClassesThatMeetARequirement() {
        graph.transact(tx -> {
            tx.put(selectors, "s", has("app", "id"));
            for (int i = 0; i < 1000; i++) {
                tx.put(pods, "" + i, pod("app", "a", "id", "" + i));
            }
        });
        graph.transact(tx ->
                tx.put(selectors, "t", new All(Map.of("app", Set.of("a"), "id", Set.of("7", "8", "absent")), "none")));
        assertThat(evaluations()).isEqualTo(2);
        assertThat(matching("t")).containsExactlyInAnyOrder("7", "8");
    }

    @Test
    void aSelectorThatFailsRollsTheStepBack() {
        graph.transact(tx -> tx.put(pods, "pod", pod("app", "a")));
        assertThatThrownBy(() -> graph.transact(tx -> tx.put(selectors, "bad", new All(Map.of(), "throws"))))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("key bad");
        assertThat(selectors.size()).isZero();
        graph.transact(tx -> tx.put(pods, "other", pod("app", "b")));
        graph.verify();
    }

    private static Pod pod(String... labels) {
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < labels.length; i += 2) {
            map.put(labels[i], labels[i + 1]);
        }
        return new Pod(Map.copyOf(map), List.of());
    }

    @RepeatedTest(30)
    void randomChangesMatchTheirRecomputation() {
        long seed = Long.getLong("graph.seed", System.nanoTime());
        System.out.println("MatchTest: -Dgraph.seed=" + seed);
        Random random = new Random(seed);
        int labels = 3 + random.nextInt(25);
        for (int step = 0; step < 60; step++) {
            try {
                boolean fails = random.nextInt(8) == 0;
                graph.transact(tx -> {
                    for (int i = random.nextInt(8); i >= 0; i--) {
                        String key = "" + random.nextInt(12);
                        switch (random.nextInt(9)) {
                            case 0, 1 -> tx.put(selectors, key, selector(random, labels));
                            case 2 -> tx.remove(selectors, key);
                            case 3 -> tx.put(namespaces, "ns" + random.nextInt(4), labels(random, labels));
                            case 4 -> tx.remove(namespaces, "ns" + random.nextInt(4));
                            case 5 -> tx.remove(pods, key);
                            default ->
                                tx.put(
                                        pods,
                                        key,
                                        new Pod(
                                                labels(random, labels),
                                                random.ints(random.nextInt(3), 0, 4)
                                                        .mapToObj(n -> "ns" + n)
                                                        .toList()));
                        }
                    }
                    if (fails) {
                        tx.put(selectors, "fails", new All(Map.of(), "throws"));
                    } else {
                        tx.remove(selectors, "fails");
                    }
                });
            } catch (GraphException e) {
                assertThat(e).hasRootCauseMessage("on purpose");
            }
            try {
                graph.verify();
            } catch (IllegalStateException e) {
                throw new AssertionError("seed " + seed + ", step " + step, e);
            }
        }
    }

    private static Map<String, String> labels(Random random, int labels) {
        Map<String, String> map = new HashMap<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            map.put("l" + random.nextInt(labels), "v" + random.nextInt(3));
        }
        return Map.copyOf(map);
    }

    private static All selector(Random random, int labels) {
        Map<String, Set<String>> required = new HashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            required.put(
                    "l" + random.nextInt(labels),
                    random.ints(random.nextInt(3), 0, 3).mapToObj(n -> "v" + n).collect(Collectors.toSet()));
        }
        return new All(Map.copyOf(required), random.nextBoolean() ? "none" : "l" + random.nextInt(labels));
    }
}
