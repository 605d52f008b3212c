package dev.evenkeel.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.store.MemoryStore;
import dev.evenkeel.simulation.Monitor;
import dev.evenkeel.simulation.Simulation;
import dev.evenkeel.simulation.SimulationScenario;
import dev.evenkeel.simulation.fault.FaultRates;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Managers in simulated processes, with everything going wrong: in the end the world is as it should be. */
class ManagerSimulationTest {
    private static final int SEEDS = Integer.getInteger("simulation.seeds", 5);
    private static final long FIRST = Long.getLong("simulation.first", 1);
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    private static final Kind<Secret> SECRETS = Kind.of(Secret.class);

    static Stream<Placement> placements() {
        return Stream.of(Placement.leader(), Placement.sharded(4));
    }

    @ParameterizedTest
    @MethodSource("placements")
    void convergesInSpiteOfFaults(Placement placement) {
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            Simulation.Result outcome = new Maps(placement).play(seed, FaultRates.ALL);

            assertThat(outcome.passed()).as("%s", outcome).isTrue();
        }
    }

    @Test
    void convergesInSomeNamespacesAndLeavesOthersAlone() {
        for (long seed = FIRST; seed < FIRST + SEEDS / 2; seed++) {
            Simulation.Result outcome =
                    new Maps(Placement.leader(), List.of("default", "a")).play(seed, FaultRates.ALL);

            assertThat(outcome.passed()).as("%s", outcome).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("placements")
    void theSameSeedGivesTheSameTrace(Placement placement) {
        for (long seed = FIRST; seed < FIRST + 5; seed++) {
            assertThat(new Maps(placement).play(seed, FaultRates.ALL))
                    .as("seed %d", seed)
                    .isEqualTo(new Maps(placement).play(seed, FaultRates.ALL));
        }
    }

    /**
     * Each config map has a secret of its own with the same value.
     *
     * @param namespaces where managers work; empty for everywhere, and then there is one
     */
    private record Maps(Placement placement, List<String> namespaces) implements SimulationScenario {
        Maps(Placement placement) {
            this(placement, List.of());
        }

        @Override
        public String name() {
            return "maps " + placement + namespaces;
        }

        @Override
        public Simulation.ServerFactory server() {
            return (clock, random, executor) -> Engine.builder()
                    .store(context -> new MemoryStore(
                            new MemoryStore.Window(10_000, Duration.ofMinutes(5)), context.clock(), Runnable::run))
                    .clock(clock)
                    .random(random)
                    .executor(executor)
                    .build()
                    .client();
        }

        @Override
        public BooleanSupplier prepare(Simulation simulation) {
            if (!namespaces.isEmpty()) {
                for (String name : List.of("a", "other")) {
                    Namespace unused = simulation
                            .server()
                            .create(new NamespaceBuilder()
                                    .withNewMetadata()
                                    .withName(name)
                                    .endMetadata()
                                    .build());
                }
            }
            for (String name : List.of("one", "two")) {
                simulation.process(
                        name,
                        (client, scheduler) -> manager(client)
                                .scheduler(scheduler)
                                .leases(Leases.in(
                                        "default",
                                        name + "-" + scheduler.random().nextInt(1_000_000)))
                                .build()
                                .add(Controller.of(
                                                MAPS, reconciliation -> reconcile(reconciliation, simulation.monitor()))
                                        .name("maps")
                                        .selection(ListOptions.ALL.labels(
                                                dev.evenkeel.client.LabelSelector.matching(Map.of("kind", "source"))))
                                        .owns(SECRETS)
                                        .placement(placement))
                                .start());
            }
            for (int i = 0; i < (namespaces.isEmpty() ? 12 : 24); i++) {
                simulation.at(Duration.ofSeconds(i * 5L), "user", () -> change(simulation));
            }
            return () -> converged(simulation.server());
        }

        private Manager.Builder manager(Client client) {
            Manager.Builder builder = Manager.builder(client);
            return namespaces.isEmpty() ? builder : builder.namespaces(namespaces.toArray(String[]::new));
        }

        private static Result reconcile(Reconciliation<ConfigMap> reconciliation, Monitor monitor) {
            ObjectKey key = reconciliation.key();
            monitor.enter("maps", key);
            try {
                Optional<ConfigMap> map = reconciliation.resource();
                monitor.read(MAPS, key, map);
                if (map.isEmpty()) {
                    return Result.done();
                }
                Secret secret = new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(key.namespace())
                        .withName(key.name())
                        .endMetadata()
                        .addToStringData("v", map.get().getData().get("v"))
                        .build();
                OwnerReferences.control(map.get(), secret);
                Secret unused = reconciliation
                        .client()
                        .apply(
                                SECRETS,
                                secret,
                                WriteOptions.DEFAULT.fieldManager("maps").force(true));
                monitor.read(SECRETS, key, reconciliation.cache(SECRETS).find(key));
                return Result.done();
            } finally {
                monitor.exit("maps", key);
            }
        }

        private void change(Simulation simulation) {
            Client server = simulation.server();
            String name = "m" + simulation.random().nextInt(4);
            List<String> all = List.of("default", "a", "other");
            String namespace = namespaces.isEmpty()
                    ? "default"
                    : all.get(simulation.random().nextInt(all.size()));
            ObjectKey key = ObjectKey.of(namespace, name);
            Optional<ConfigMap> present = server.find(MAPS, key);
            String value = Integer.toString(simulation.random().nextInt(1000));
            if (present.isEmpty()) {
                ConfigMap unused = server.create(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(key.namespace())
                        .withName(key.name())
                        .addToLabels("kind", "source")
                        .endMetadata()
                        .addToData("v", value)
                        .build());
            } else if (simulation.random().nextInt(3) == 0) {
                var unused = server.delete(present.get());
            } else {
                present.get().getData().put("v", value);
                ConfigMap unused = server.update(present.get());
            }
        }

        private static boolean converged(Client server) {
            for (ConfigMap map : server.list(MAPS, ListOptions.ALL).items()) {
                if (!"source".equals(map.getMetadata().getLabels().get("kind"))) {
                    continue;
                }
                Optional<Secret> secret = server.find(SECRETS, ObjectKey.of(map));
                if (ObjectKey.of(map).namespace().equals("other")) {
                    if (secret.isPresent()) {
                        return false;
                    }
                    continue;
                }
                if (secret.isEmpty()
                        || !OwnerReferences.controllerOf(secret.get())
                                .map(owner ->
                                        owner.getUid().equals(map.getMetadata().getUid()))
                                .orElse(false)
                        || !new String(java.util.Base64.getDecoder()
                                        .decode(secret.get().getData().get("v")))
                                .equals(map.getData().get("v"))) {
                    return false;
                }
            }
            return true;
        }
    }
}
