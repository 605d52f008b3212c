package dev.evenkeel.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;

class GraphTest {
    private final Graph graph = Graph.create();
    private final Input<String, Integer> input = graph.input("numbers");

    private void put(String key, int value) {
        graph.transact(tx -> tx.put(input, key, value));
    }

    @Test
    void anOperatorNeverSeesOneOfItsInputsChangedAndAnotherNotYet() {
        List<String> seen = new ArrayList<>();
        Table<String, Integer> doubled = input.map((key, value) -> value * 2).map((key, value) -> value + 0);
        input.join(doubled, (value, twice) -> {
            seen.add(value + "/" + twice);
            return value;
        });

        put("a", 1);
        put("a", 2);

        assertThat(seen).containsExactly("1/2", "2/4");
    }

    @Test
    void nothingIsComputedFromAnEqualRow() {
        List<Integer> computed = new ArrayList<>();
        input.map((key, value) -> value / 10).map((key, tens) -> computed.add(tens));

        put("a", 11);
        put("a", 12);
        put("a", 12);

        assertThat(computed).containsExactly(1);
    }

    @Test
    void onlyTheLastChangeOfAKeyInATransactionCounts() {
        List<Integer> computed = new ArrayList<>();
        input.map((key, value) -> computed.add(value));

        graph.transact(tx ->
                tx.put(input, "a", 1).put(input, "a", 2).put(input, "b", 3).remove(input, "b"));
        graph.transact(tx -> tx.remove(input, "a").put(input, "a", 2));

        assertThat(computed).containsExactly(2);
    }

    @Test
    void replaceChangesOnlyDifferences() {
        List<String> computed = new ArrayList<>();
        Table<String, Integer> copy = input.map((key, value) -> {
            computed.add(key);
            return value;
        });
        graph.transact(tx -> tx.put(input, "same", 1).put(input, "other", 2).put(input, "gone", 3));
        computed.clear();

        graph.transact(tx -> tx.replace(input, Map.of("same", 1, "other", 20, "new", 4)));

        assertThat(computed).containsExactlyInAnyOrder("other", "new");
        assertThat(copy.toMap()).isEqualTo(Map.of("same", 1, "other", 20, "new", 4));
    }

    @Test
    void aFailedFunctionRollsTheStepBack() {
        Table<String, Integer> quotient = input.map((key, value) -> 100 / value).rename("quotient");
        Table<Integer, Integer> counts = input.distinct();
        put("a", 5);

        assertThatThrownBy(() -> graph.transact(tx -> tx.put(input, "b", 10).put(input, "a", 0)))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("quotient: the function failed for key a")
                .hasRootCauseInstanceOf(ArithmeticException.class);

        assertThat(input.toMap()).isEqualTo(Map.of("a", 5));
        assertThat(quotient.toMap()).isEqualTo(Map.of("a", 20));
        assertThat(counts.toMap()).isEqualTo(Map.of(5, 5));
        put("a", 10);
        assertThat(quotient.toMap()).isEqualTo(Map.of("a", 10));
        graph.verify();
    }

    @Test
    void aFailedTransactionChangesNothing() {
        Table<String, Integer> copy = input.map((key, value) -> value);
        put("a", 5);

        assertThatThrownBy(() -> graph.transact(tx -> {
                    tx.put(input, "a", 6).put(input, "b", 1);
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        put("c", 7);
        assertThat(copy.toMap()).isEqualTo(Map.of("a", 5, "c", 7));
    }

    @Test
    void aFailedFunctionFailsItsKeyIfThatIsChosen() {
        Graph lenient = Graph.create(FailureMode.FAIL_KEY);
        Input<String, Integer> numbers = lenient.input("numbers");
        Table<String, Integer> quotient = numbers.map((key, value) -> 100 / value);
        Table<String, Integer> plus = quotient.map((key, value) -> value + 1);

        lenient.transact(tx -> tx.put(numbers, "a", 5).put(numbers, "b", 0));

        assertThat(plus.toMap()).isEqualTo(Map.of("a", 21));
        assertThat(quotient.failures().get("b")).isInstanceOf(ArithmeticException.class);
        assertThat(lenient.why(plus, "b")).contains("failed: java.lang.ArithmeticException");
        lenient.verify();

        lenient.transact(tx -> tx.put(numbers, "b", 1));

        assertThat(quotient.failures()).isEmpty();
        assertThat(plus.toMap()).isEqualTo(Map.of("a", 21, "b", 101));
    }

    @Test
    void operatorsMayBeAddedToTablesWithRows() {
        put("a", 1);
        Table<String, Integer> copy = input.map((key, value) -> value).join(input, Integer::sum);
        assertThat(copy.toMap()).isEqualTo(Map.of("a", 2));
        put("b", 2);
        assertThat(copy.toMap()).isEqualTo(Map.of("a", 2, "b", 4));
    }

    @Test
    void anOperatorWhoseFunctionFailsForExistingRowsIsNotAdded() {
        put("a", 0);
        assertThatThrownBy(() -> input.map((key, value) -> 1 / value)).isInstanceOf(GraphException.class);
        put("a", 0);
        put("b", 0);
        assertThat(graph.explain().lines()).hasSize(1);
    }

    @Test
    void functionsMustNotReadTables() {
        Table<String, Integer> copy = input.map((key, value) -> value);
        copy.map((key, value) -> copy.size());
        assertThatThrownBy(() -> put("a", 1))
                .hasRootCauseMessage(
                        "called during a step: a function or transaction must not read or change tables; join instead");
        assertThatThrownBy(() -> graph.transact(tx -> put("a", 1))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aTransactionEndsWithItsFunction() {
        List<Transaction> kept = new ArrayList<>();
        graph.transact(kept::add);
        assertThatThrownBy(() -> kept.getFirst().put(input, "a", 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has ended");
    }

    @Test
    void tablesOfDifferentGraphsCannotBeCombined() {
        Input<String, Integer> other = Graph.create().input("foreign");
        assertThatThrownBy(() -> input.union(other))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("foreign");
        assertThatThrownBy(() -> graph.transact(tx -> tx.put(other, "a", 1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> graph.inSync(other)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void verifiesOnASchedule() throws Exception {
        int[] hidden = {1};
        input.map((key, value) -> value * hidden[0]).rename("scaled");
        put("a", 5);
        BlockingQueue<RuntimeException> failures = new LinkedBlockingQueue<>();
        try (ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor()) {
            Future<?> schedule = graph.verifyEvery(Duration.ofMillis(1), executor, failures::add);
            graph.transact(tx -> hidden[0] = 2);
            assertThat(failures.take()).hasMessageContaining("scaled, key a: is 5, recomputed 10");
            assertThat(schedule.cancel(false)).isTrue();
        }
    }

    @Test
    void verifyFindsAFunctionThatDependsOnMoreThanItsArguments() {
        int[] offset = new int[1];
        input.map((key, value) -> value + offset[0]).rename("impure");
        put("a", 1);
        graph.verify();
        offset[0] = 5;
        assertThatThrownBy(graph::verify)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("impure, key a: is 1, recomputed 6");
    }

    @Test
    void explainListsTablesWithTheirWork() {
        Table<String, Integer> big = input.filter((key, value) -> value > 10).rename("big");
        big.groupBy((key, value) -> value % 2 == 0, Aggregate.count()).rename("parity");
        graph.transact(tx -> tx.put(input, "a", 1).put(input, "b", 20).put(input, "c", 30));
        put("a", 2);

        assertThat(graph.explain()).isEqualTo("""
                        0 numbers = input(): 3 rows; last step 1 changes, 0 calls; in 2 steps 4 changes, 0 calls
                        1 big = filter(numbers): 2 rows; last step 0 changes, 1 calls; in 2 steps 2 changes, 4 calls
                        2 parity = groupBy(big): 1 rows; last step 1 changes, 3 calls; in 1 steps 1 changes, 3 calls
                        """);
    }

    @Test
    void whyWalksBackToTheInputs() {
        Input<Integer, String> names = graph.input("names");
        Table<String, String> named =
                input.join(names, (key, value) -> value, (value, name) -> name).rename("named");
        Table<String, List<String>> byName =
                named.groupBy((key, name) -> name, Aggregate.<String>keys(Comparator.naturalOrder()));
        byName.rename("byName");
        graph.transact(tx ->
                tx.put(input, "a", 1).put(input, "b", 1).put(input, "c", 2).put(names, 1, "one"));

        assertThat(graph.why(byName, "one").lines())
                .startsWith("byName one: [a, b]")
                .containsSequence("  named a: one", "    numbers a: 1", "    names 1: one")
                .containsSequence("  named b: one", "    numbers b: 1", "    names 1: one")
                .hasSize(7);
    }

    @Test
    void transactionsOfSeveralThreadsAreStepsOneAfterTheOther() throws Exception {
        Table<Boolean, Long> sum = input.groupBy((key, value) -> true, Aggregate.sum((key, value) -> value));
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                int number = i;
                all.add(executor.submit(() -> put("key-" + number, number)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        assertThat(sum.toMap()).isEqualTo(Map.of(true, 1225L));
        assertThat(graph.steps()).isEqualTo(50);
        graph.verify();
    }
}
