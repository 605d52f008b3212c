package dev.evenkeel.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.load.internal.drive.Disruption;
import dev.evenkeel.load.internal.drive.Driver;
import dev.evenkeel.load.internal.drive.Effects;
import dev.evenkeel.load.internal.drive.Pace;
import dev.evenkeel.simulation.VirtualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Patterns, with an engine that refuses what a cluster refuses. */
class PatternsTest {
    private static final World SMALL = World.k8sfv().size(5, 4, 6);

    static Stream<Arguments> patterns() {
        return Stream.of(
                Arguments.of("rotate-labels", Patterns.rotateLabels("maturity"), 20),
                Arguments.of("pod-ring", Patterns.podRing(24), 48),
                Arguments.of("policy-churn", Patterns.policyChurn(10, 10), 20),
                Arguments.of("scale", Patterns.scale(30, Patterns.skewedLabels()), 60),
                Arguments.of("clear-addresses", Patterns.clearAddresses(5), 15),
                Arguments.of("rolling-update", Patterns.rollingUpdate(2, 3), 2 * (3 + 2 * 3)),
                Arguments.of(
                        "churn",
                        Patterns.churn(
                                new Template(
                                        Kinds.CONFIG_MAP,
                                        2,
                                        "c-${index}",
                                        Map.of(
                                                "metadata",
                                                Map.of("finalizers", List.of("example.com/a")),
                                                "data",
                                                Map.of("revision", "r${revision}"))),
                                2,
                                List.of()),
                        4 * 2 * 5));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("patterns")
    void cyclesEndAsTheyBegan(String name, Pattern pattern, int operations) throws InterruptedException {
        try (Engine engine = Engine.create()) {
            WorldState state = new WorldState(SMALL);
            Random random = new Random(7);
            run(engine.client(), state, state.creation(random).iterator());
            // the first one may create what the others replace
            run(engine.client(), state, pattern.cycle(state, random));
            Map<String, Integer> sizes = sizes(state);
            for (int cycle = 0; cycle < 3; cycle++) {
                assertThat(run(engine.client(), state, pattern.cycle(state, random)))
                        .as("operations")
                        .isEqualTo(operations);
                assertThat(sizes(state)).isEqualTo(sizes);
                assertThat(present(engine.client(), state)).isEqualTo(expected(state));
            }
        }
    }

    @Test
    void drainedNodesHaveNoPods() throws InterruptedException {
        try (Engine engine = Engine.create()) {
            WorldState state = new WorldState(SMALL);
            Random random = new Random(7);
            run(engine.client(), state, state.creation(random).iterator());
            run(engine.client(), state, Patterns.drainNodes(1).cycle(state, random));
            assertThat(state.size(Kinds.POD)).isEqualTo(24);
            assertThat(state.hosts())
                    .filteredOn(host -> state.on(host).isEmpty())
                    .hasSize(1);
            assertThat(present(engine.client(), state)).isEqualTo(expected(state));
        }
    }

    @Test
    void labelsAreAsBeforeAfterACycleOfRotation() throws InterruptedException {
        try (Engine engine = Engine.create()) {
            WorldState state = new WorldState(SMALL);
            Random random = new Random(7);
            run(engine.client(), state, state.creation(random).iterator());
            Map<ObjectKey, String> before = maturities(engine.client());
            run(engine.client(), state, Patterns.rotateLabels("maturity").cycle(state, random));
            assertThat(maturities(engine.client())).isEqualTo(before);
        }
        assertThatThrownBy(() -> Patterns.rotateLabels("color").cycle(new WorldState(SMALL), new Random(1)))
                .hasMessageContaining("namespaces of the world have no label color, but [area, maturity]");
    }

    private static Map<ObjectKey, String> maturities(Client client) {
        return client.list(Kinds.NAMESPACE, ListOptions.ALL).items().stream()
                .map(Encoded::header)
                .filter(header -> header.labels().containsKey("maturity"))
                .collect(Collectors.toMap(
                        Encoded.Header::key, header -> header.labels().get("maturity")));
    }

    @Test
    void equalSeedsMakeEqualOperations() {
        List<List<Operation>> runs = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            WorldState state = new WorldState(SMALL);
            Random random = new Random(3);
            List<Operation> made = new ArrayList<>();
            state.creation(random).forEach(state::apply);
            for (Pattern pattern : List.of(Patterns.podRing(10), Patterns.policyChurn(4, 3))) {
                pattern.cycle(state, random).forEachRemaining(operation -> {
                    state.apply(operation);
                    made.add(operation);
                });
            }
            runs.add(made);
        }
        assertThat(names(runs.get(0))).isEqualTo(names(runs.get(1)));
    }

    private static List<String> names(List<Operation> operations) {
        return operations.stream()
                .map(operation -> operation instanceof Operation.Create(LoadObject object)
                        ? new String(object.content().json(), java.nio.charset.StandardCharsets.UTF_8)
                        : operation.toString())
                .toList();
    }

    private static long run(Client client, WorldState state, Iterator<Operation> operations)
            throws InterruptedException {
        Pace pace = new Pace(new VirtualScheduler(1));
        try (Driver driver = new Driver(
                client, Disruption.NONE, new Effects(client, operation -> Optional.empty(), pace), pace, 4)) {
            Driver.Outcome outcome =
                    driver.run(operations, state, new Rate.Acknowledged(), Duration.ofMinutes(1), done -> {});
            assertThat(outcome.refusals()).isEmpty();
            return outcome.operations();
        }
    }

    private static Map<String, Integer> sizes(WorldState state) {
        Map<String, Integer> sizes = new TreeMap<>();
        state.objects().forEach(object -> sizes.merge(object.kind().id(), 1, Integer::sum));
        return sizes;
    }

    private static Set<String> expected(WorldState state) {
        Set<String> names = new TreeSet<>();
        state.objects().forEach(object -> names.add(object.kind().id() + " " + object.key()));
        return names;
    }

    /** The objects of the kinds that the patterns use, without those that every cluster has. */
    private static Set<String> present(Client client, WorldState state) {
        Set<String> names = new TreeSet<>();
        for (Kind<Encoded> kind : List.of(
                Kinds.NODE,
                Kinds.NAMESPACE,
                Kinds.POD,
                Kinds.CONFIG_MAP,
                Kinds.DEPLOYMENT,
                Kinds.REPLICA_SET,
                Kinds.NETWORK_POLICY)) {
            client.list(kind, ListOptions.ALL).items().stream()
                    .map(Encoded::header)
                    // without kubelets, deleted pods stay in that state
                    .filter(header -> !header.deleted())
                    .map(Encoded.Header::key)
                    .filter(key -> !key.toString().matches("default|kube-.*|.*/?kube-root-ca.crt"))
                    .forEach(key -> names.add(kind.id() + " " + key));
        }
        return names;
    }
}
