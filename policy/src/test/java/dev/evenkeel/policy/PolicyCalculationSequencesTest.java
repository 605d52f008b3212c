package dev.evenkeel.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.graph.Cursor;
import dev.evenkeel.policy.v1.Update;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Sequences of clusters, the cases and random ones, each in several orders and with several ways to flush: the state of the
 * host after each is that of a calculation of this cluster alone.
 */
class PolicyCalculationSequencesTest {
    private static final int LENGTH = 4;
    private static final int RANDOM = Integer.getInteger("policy.sequences", 5);
    private static final long SEED = Long.getLong("policy.seed", System.nanoTime());

    /** When the host takes its messages. */
    private enum Flush {
        AFTER_EACH_OBJECT,
        AFTER_EACH_OBJECT_TWICE,
        AFTER_EACH_STATE,
        AT_THE_END
    }

    /** The order in which the clusters of a sequence follow, and their objects; or all changes in one step. */
    private enum Order {
        AS_GIVEN,
        OBJECTS_REVERSED,
        REVERSED,
        EMPTY_BETWEEN,
        EACH_FROM_EMPTY,
        AT_ONCE
    }

    private record Name(Class<?> type, ObjectKey key) {}

    private record Sequence(String name, List<Map<Name, HasMetadata>> states) {}

    private static Map<Name, HasMetadata> state(World world) {
        Map<Name, HasMetadata> state = new LinkedHashMap<>();
        world.objects().forEach(object -> state.put(new Name(object.getClass(), ObjectKey.of(object)), object));
        return state;
    }

    private static Stream<Sequence> sequences() {
        List<PolicyCase> cases = PolicyCase.all();
        Stream<Sequence> ofCases = Stream.iterate(0, i -> i < cases.size(), i -> i + LENGTH)
                .map(i -> new Sequence(
                        "cases " + i,
                        cases.subList(i, Math.min(cases.size(), i + LENGTH)).stream()
                                .map(one -> state(one.world()))
                                .toList()));
        Stream<Sequence> random = Stream.iterate(0, i -> i < RANDOM, i -> i + 1)
                .map(i -> new Sequence(
                        "-Dpolicy.seed=" + (SEED + i),
                        Stream.of(0, 1, 2)
                                .map(j -> state(RandomWorld.tiered(SEED + i + j * 1_000L)
                                        .world()))
                                .toList()));
        return Stream.concat(ofCases, random);
    }

    /** Returns the lists of states in an order: each list is for a calculation of its own. */
    private static List<List<Map<Name, HasMetadata>>> expand(Order order, List<Map<Name, HasMetadata>> states) {
        return switch (order) {
            case AS_GIVEN, AT_ONCE -> List.of(states);
            case OBJECTS_REVERSED ->
                List.of(states.stream()
                        .map(PolicyCalculationSequencesTest::reversed)
                        .toList());
            case REVERSED -> List.of(states.reversed());
            case EMPTY_BETWEEN ->
                List.of(states.stream()
                        .flatMap(state -> Stream.of(state, Map.<Name, HasMetadata>of()))
                        .toList());
            case EACH_FROM_EMPTY -> states.stream().map(List::of).toList();
        };
    }

    private static Map<Name, HasMetadata> reversed(Map<Name, HasMetadata> state) {
        Map<Name, HasMetadata> result = new LinkedHashMap<>();
        List<Name> names = new ArrayList<>(state.keySet());
        Collections.reverse(names);
        names.forEach(name -> result.put(name, state.get(name)));
        return result;
    }

    @TestFactory
    Stream<DynamicTest> statesDoNotDependOnTheSequence() {
        return sequences()
                .map(sequence -> DynamicTest.dynamicTest(sequence.name(), () -> {
                    Map<Map<Name, HasMetadata>, String> alone = new LinkedHashMap<>();
                    sequence.states().forEach(state -> alone.put(state, alone(state)));
                    alone.put(Map.of(), alone(Map.of()));
                    for (Order order : Order.values()) {
                        for (List<Map<Name, HasMetadata>> states : expand(order, sequence.states())) {
                            for (Flush flush : Flush.values()) {
                                run(order, states, flush, alone);
                            }
                        }
                    }
                }));
    }

    private static String alone(Map<Name, HasMetadata> state) {
        PolicyCalculation calculation = PolicyCalculation.forHost("n1");
        calculation.transact(tx -> {
            state.values().forEach(tx::put);
            PolicyCalculation.kinds().forEach(tx::synced);
        });
        return new HostState().apply(calculation.open("n1").poll().messages()).toString();
    }

    private static void run(
            Order order, List<Map<Name, HasMetadata>> states, Flush flush, Map<Map<Name, HasMetadata>, String> alone) {
        PolicyCalculation calculation = PolicyCalculation.forHost("n1");
        Cursor<Update> cursor = calculation.open("n1");
        HostState host = new HostState();
        boolean early = flush != Flush.AT_THE_END;
        if (early) {
            calculation.transact(tx -> PolicyCalculation.kinds().forEach(tx::synced));
        }
        Map<Name, HasMetadata> current = Map.of();
        List<Consumer<PolicyTransaction>> all = new ArrayList<>();
        for (Map<Name, HasMetadata> next : states) {
            List<Consumer<PolicyTransaction>> changes = changes(current, next);
            current = next;
            if (order == Order.AT_ONCE) {
                all.addAll(changes);
                continue;
            }
            for (Consumer<PolicyTransaction> change : changes) {
                calculation.transact(change);
                if (flush == Flush.AFTER_EACH_OBJECT_TWICE) {
                    calculation.transact(change);
                }
                if (flush == Flush.AFTER_EACH_OBJECT || flush == Flush.AFTER_EACH_OBJECT_TWICE) {
                    host.apply(cursor.poll().messages());
                }
            }
            if (early) {
                host.apply(cursor.poll().messages());
                assertThat(host).as("%s, %s", order, flush).hasToString(alone.get(next));
            }
        }
        calculation.transact(tx -> all.forEach(change -> change.accept(tx)));
        calculation.transact(tx -> PolicyCalculation.kinds().forEach(tx::synced));
        host.apply(cursor.poll().messages());
        assertThat(host).as("%s, %s", order, flush).hasToString(alone.get(current));
    }

    private static List<Consumer<PolicyTransaction>> changes(
            Map<Name, HasMetadata> current, Map<Name, HasMetadata> next) {
        List<Consumer<PolicyTransaction>> changes = new ArrayList<>();
        next.forEach((name, object) -> {
            if (!object.equals(current.get(name))) {
                changes.add(tx -> tx.put(object));
            }
        });
        current.forEach((name, object) -> {
            if (!next.containsKey(name)) {
                changes.add(tx -> tx.remove(object));
            }
        });
        return changes;
    }
}
