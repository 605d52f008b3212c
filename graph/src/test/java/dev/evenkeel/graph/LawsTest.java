package dev.evenkeel.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The laws of operators, for each operator and for random graphs of them: {@code full(in + d) = full(in) + delta(d)};
 * each delta leads from the rows before to the rows after; the state depends on the inputs only, not on the path; a step
 * that fails changes nothing. {@code -Dgraph.seed} repeats a run, {@code -Dgraph.graphs} sets the number of graphs.
 */
class LawsTest {
    private static final int OPERATORS = 28;
    private static final int KEYS = 12;

    /** A graph that a seed describes, with some inputs. */
    private static final class RandomGraph {
        final Graph graph;
        final List<Input<Integer, Integer>> inputs = new ArrayList<>();
        final List<Table<Integer, Integer>> tables = new ArrayList<>();
        final List<Relation<Integer, Integer>> relations = new ArrayList<>();
        final List<Runnable> checks = new ArrayList<>();
        private final Random random;
        private final boolean failing;

        RandomGraph(long seed, FailureMode mode, boolean failing, int inputs, List<Map<Integer, Integer>> content) {
            this.random = new Random(seed);
            this.failing = failing;
            this.graph = Graph.create(mode);
            for (int i = 0; i < inputs; i++) {
                Input<Integer, Integer> input = graph.input("input" + i);
                this.inputs.add(input);
                add(input);
                if (!content.isEmpty()) {
                    Map<Integer, Integer> rows = content.get(i);
                    graph.transact(tx -> tx.replace(input, rows));
                }
            }
            relation(this.inputs.getFirst().flatMap((key, value) -> List.of(value % KEYS, (value + key) % KEYS)));
        }

        private void add(Table<Integer, Integer> table) {
            tables.add(table);
            watch(table);
        }

        private void relation(Relation<Integer, Integer> relation) {
            relations.add(relation);
            watch(relation);
        }

        /** Checks that the deltas of a table lead from its rows before a step to those after it. */
        private <K, V> void watch(Table<K, V> table) {
            Map<K, V> copy = table.toMap();
            table.node.listeners.add(delta -> {
                Set<K> keys = new HashSet<>();
                for (int i = 0; i < delta.size(); i++) {
                    K key = delta.key(i);
                    assertThat(keys.add(key))
                            .as("%s has one change of %s", table.name(), key)
                            .isTrue();
                    assertThat(copy.get(key)).isEqualTo(delta.before(i)).isNotEqualTo(delta.after(i));
                    V after = delta.after(i);
                    if (after == null) {
                        copy.remove(key);
                    } else {
                        copy.put(key, after);
                    }
                }
            });
            checks.add(() -> assertThat(table.toMap()).as(table.name()).isEqualTo(copy));
        }

        private <T> T any(List<T> all) {
            return all.get(random.nextInt(all.size()));
        }

        private int check(int one, int other, int salt) {
            if (failing && (one * 7 + other + salt) % 29 == 0) {
                throw new IllegalArgumentException("bad row " + one + " " + other);
            }
            return Math.floorMod(one * 3 + other + salt, 50);
        }

        void operator(int number) {
            Table<Integer, Integer> one = any(tables);
            Table<Integer, Integer> other = any(tables);
            Relation<Integer, Integer> relation = any(relations);
            Relation<Integer, Integer> second = any(relations);
            int salt = random.nextInt(50);
            int modulus = 2 + random.nextInt(4);
            BiFunction<Integer, Integer, @Nullable Integer> reference =
                    (key, value) -> value % modulus == 0 ? null : check(key, value, salt) % KEYS;
            switch (number) {
                case 0 -> add(one.map((key, value) -> check(key, value, salt)));
                case 1 ->
                    add(one.mapNotNull(
                            (key, value) -> value % modulus == 0 ? null : Integer.valueOf(check(key, value, salt))));
                case 2 -> add(one.filter((key, value) -> check(key, value, salt) % modulus == 0));
                case 3 ->
                    relation(one.flatMap((key, value) -> IntStream.range(0, value % 4)
                            .mapToObj(i -> check(i / 2, value, salt) % KEYS)
                            .toList()));
                case 4 -> add(one.join(other, (left, right) -> check(left, right, salt)));
                case 5 -> add(one.join(other, reference, (left, right) -> check(left, right, salt)));
                case 6 ->
                    add(one.leftJoin(other, (left, right) -> check(left, right, salt), left -> check(left, 1, salt)));
                case 7 ->
                    add(one.leftJoin(
                            other, reference, (left, right) -> check(left, right, salt), left -> check(left, 1, salt)));
                case 8 -> add(one.semijoin(other));
                case 9 -> add(one.semijoin(other, reference));
                case 10 -> add(one.antijoin(other));
                case 11 -> add(one.antijoin(other, reference));
                case 12 -> add(one.union(other));
                case 13 -> add(one.groupBy(reference, Aggregate.count()));
                case 14 ->
                    add(one.groupBy(reference, Aggregate.<Integer, Integer>sum((key, value) -> check(key, value, salt)))
                            .map((key, sum) -> (int) (sum % 50)));
                case 15 ->
                    add(one.groupBy(
                                    reference,
                                    Aggregate.<Integer, Integer>orderedBy(
                                            Comparator.comparing(value -> value % modulus), Comparator.naturalOrder()))
                            .map((key, values) -> Math.floorMod(values.hashCode(), 50)));
                case 16 ->
                    add(one.groupBy(
                            reference,
                            Aggregate.<Integer, Integer>first(
                                    Comparator.comparing(value -> value % modulus), Comparator.reverseOrder())));
                case 17 ->
                    add(one.groupBy(reference, Aggregate.<Integer>keys(Comparator.naturalOrder()))
                            .map((key, keys) -> Math.floorMod(keys.hashCode(), 50)));
                case 18 -> add(one.distinct());
                case 19 -> relation(relation.union(second));
                case 20 -> relation(relation.unweighted());
                case 21 ->
                    relation(relation.expand(one, value -> List.of(value % modulus, check(value, 2, salt) % KEYS)));
                case 22 -> add(relation.lefts());
                case 23 -> add(relation.rights());
                case 24 ->
                    add(relation.groupBy((pair, weight) -> (pair.left() + pair.right()) % KEYS, Aggregate.count()));
                case 25 -> add(relation.groupByRight(one, Aggregate.count()));
                case 26 ->
                    add(relation.groupByLeft(
                                    one, Aggregate.<Pair<Integer, Integer>, Integer>sum((pair, value) -> value))
                            .map((key, sum) -> (int) (sum % 50)));
                case 27 ->
                    add(one.view((key, value) ->
                            value % modulus == 0 ? null : Integer.valueOf(Math.floorMod(value * 3 + key + salt, 50))));
                default -> throw new IllegalArgumentException("operator " + number);
            }
        }

        List<Object> state() {
            List<Object> all = new ArrayList<>();
            Stream.concat(tables.stream(), relations.stream()).forEach(table -> {
                all.add(table.toMap());
                all.add(table.failures().keySet());
            });
            return all;
        }
    }

    @TestFactory
    Stream<DynamicTest> eachOperator() {
        long seed = seed();
        return IntStream.range(0, OPERATORS)
                .boxed()
                .flatMap(number -> Stream.of(true, false)
                        .map(failing ->
                                DynamicTest.dynamicTest("operator " + number + (failing ? ", failing" : ""), () -> {
                                    for (int i = 0; i < 5; i++) {
                                        run(seed + i, FailureMode.FAIL_KEY, failing, 2, random -> List.of(number));
                                    }
                                })));
    }

    @ParameterizedTest
    @EnumSource
    void randomGraphs(FailureMode mode) {
        long seed = seed();
        int graphs = Integer.getInteger("graph.graphs", 150);
        for (int i = 0; i < graphs; i++) {
            run(
                    seed + i,
                    mode,
                    i % 2 == 0,
                    3,
                    random -> random.ints(2 + random.nextInt(20), 0, OPERATORS)
                            .boxed()
                            .toList());
        }
    }

    private static long seed() {
        long seed = Long.getLong("graph.seed", System.nanoTime());
        System.out.println("LawsTest: -Dgraph.seed=" + seed);
        return seed;
    }

    private static void run(
            long seed, FailureMode mode, boolean failing, int inputs, Function<Random, List<Integer>> choice) {
        Random random = new Random(seed);
        List<Integer> operators = choice.apply(random);
        RandomGraph world = new RandomGraph(seed, mode, failing, inputs, List.of());
        operators.forEach(world::operator);
        List<Map<Integer, Integer>> content = new ArrayList<>();
        world.inputs.forEach(input -> content.add(new HashMap<>()));
        for (int step = 0; step < 25; step++) {
            String place = "seed " + seed + ", step " + step + ", operators " + operators;
            List<Map<Integer, Integer>> next =
                    new ArrayList<>(content.stream().map(HashMap::new).toList());
            List<Object> before = world.state();
            try {
                world.graph.transact(tx -> edit(random, world, next, tx));
                content.clear();
                content.addAll(next);
            } catch (GraphException e) {
                assertThat(mode == FailureMode.ROLL_BACK && failing).as(place).isTrue();
                assertThat(world.state()).as(place).isEqualTo(before);
            }
            try {
                world.graph.verify();
                world.checks.forEach(Runnable::run);
            } catch (IllegalStateException | AssertionError e) {
                throw new AssertionError(place + "\n" + world.graph.explain(), e);
            }
        }
        // the same inputs in one step, and operators that are added to tables with rows
        RandomGraph direct = new RandomGraph(seed, mode, failing, inputs, List.of());
        operators.forEach(direct::operator);
        direct.graph.transact(
                tx -> IntStream.range(0, inputs).forEach(i -> tx.replace(direct.inputs.get(i), content.get(i))));
        assertThat(direct.state()).as("seed %d, in one step", seed).isEqualTo(world.state());
        RandomGraph late = new RandomGraph(seed, mode, failing, inputs, content);
        operators.forEach(late::operator);
        assertThat(late.state()).as("seed %d, operators after rows", seed).isEqualTo(world.state());
    }

    private static void edit(Random random, RandomGraph world, List<Map<Integer, Integer>> content, Transaction tx) {
        for (int i = random.nextInt(6); i >= 0; i--) {
            int number = random.nextInt(content.size());
            Input<Integer, Integer> input = world.inputs.get(number);
            Map<Integer, Integer> rows = content.get(number);
            int key = random.nextInt(KEYS);
            switch (random.nextInt(8)) {
                case 0, 1 -> {
                    rows.remove(key);
                    tx.remove(input, key);
                }
                case 2 -> {
                    rows.keySet().removeIf(one -> random.nextInt(3) == 0);
                    rows.put(key, random.nextInt(50));
                    tx.replace(input, rows);
                }
                default -> {
                    int value = random.nextInt(50);
                    rows.put(key, value);
                    tx.put(input, key, value);
                }
            }
        }
    }
}
