package dev.evenkeel.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.graph.Cursor;
import dev.evenkeel.policy.MessageEvaluator.Packet;
import dev.evenkeel.policy.v1.Update;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Random clusters with random edits and random flush points: the state that hosts receive does not depend on the path, and
 * its verdicts are those of the oracle and of {@link PolicyExplainer}. {@code -Dpolicy.seed} repeats a world, {@code
 * -Dpolicy.worlds} sets their number.
 */
class PolicyCalculationWorldsTest {
    private static final int WORLDS = Integer.getInteger("policy.worlds", 150);
    private static final List<String> HOSTS = List.of("n1", "n2");

    private final long seed = Long.getLong("policy.seed", System.nanoTime());

    /** An object, which may have other contents in other versions of a cluster. */
    private record Name(Class<?> type, ObjectKey key) {
        static Name of(HasMetadata object) {
            return new Name(object.getClass(), ObjectKey.of(object));
        }
    }

    /** A calculation and what its hosts have received. */
    private static final class Hosts {
        final PolicyCalculation calculation;
        final Map<String, Cursor<Update>> cursors = new LinkedHashMap<>();
        final Map<String, HostState> states = new LinkedHashMap<>();

        Hosts(PolicyCalculation calculation, List<String> hosts) {
            this.calculation = calculation;
            hosts.forEach(this::open);
        }

        void open(String host) {
            Cursor<Update> before = cursors.put(host, calculation.open(host));
            if (before != null) {
                before.close();
            }
            states.put(host, new HostState());
        }

        void poll(String host) {
            states.get(host).apply(cursors.get(host).poll().messages());
        }
    }

    private static void forEachSeed(long first, Consumer<Long> body) {
        for (long i = 0; i < WORLDS; i++) {
            long world = first + i;
            try {
                body.accept(world);
            } catch (RuntimeException | Error e) {
                throw new AssertionError("-Dpolicy.worlds=1 -Dpolicy.seed=" + world + ": " + e.getMessage(), e);
            }
        }
    }

    private static Map<String, HostState> fresh(Collection<HasMetadata> objects) {
        Hosts hosts = new Hosts(PolicyCalculation.forAllHosts(), HOSTS);
        hosts.calculation.transact(tx -> {
            objects.forEach(tx::put);
            PolicyCalculation.kinds().forEach(tx::synced);
        });
        HOSTS.forEach(hosts::poll);
        return hosts.states;
    }

    private static void compareVerdicts(
            Map<String, HostState> states, Collection<HasMetadata> objects, Set<String> addresses, int port) {
        PolicyExplainer explainer = PolicyExplainer.of(objects);
        List<MessageEvaluator> hosts =
                states.values().stream().map(MessageEvaluator::new).toList();
        for (String from : addresses) {
            for (String to : addresses) {
                if (from.contains(":") != to.contains(":")) {
                    continue;
                }
                for (String protocol : RandomWorld.protocols()) {
                    Packet packet = new Packet(from, 49_152, to, port, protocol);
                    compare(states, hosts, packet, explainer.explain(from, to, protocol, port), objects);
                }
                String icmp = from.contains(":") ? "ICMPv6" : "ICMP";
                int code = port % 2;
                for (int type : RandomWorld.icmpTypes()) {
                    Packet packet = new Packet(from, 0, to, 0, icmp, type, code);
                    compare(states, hosts, packet, explainer.explainIcmp(from, to, type, code), objects);
                }
            }
        }
    }

    private static void compare(
            Map<String, HostState> states,
            List<MessageEvaluator> hosts,
            Packet packet,
            Explanation expected,
            Collection<HasMetadata> objects) {
        if (expected.allowed() != hosts.stream().allMatch(host -> host.allows(packet))) {
            throw new AssertionError(packet + " should be\n" + expected + "\nin\n"
                    + Manifests.text(List.copyOf(objects)) + "\nreceived\n" + states);
        }
    }

    @Test
    void messagesAndOracleAgree() {
        forEachSeed(seed, world -> {
            RandomWorld.Generated random = RandomWorld.of(world);
            Oracle oracle = new Oracle(random.world());
            List<MessageEvaluator> hosts = fresh(random.world().objects()).values().stream()
                    .map(MessageEvaluator::new)
                    .toList();
            int port = RandomWorld.ports()
                    .get((int) Math.floorMod(world, (long) RandomWorld.ports().size()));
            for (String from : random.addresses()) {
                for (String to : random.addresses()) {
                    if (from.contains(":") == to.contains(":")) {
                        for (String protocol : RandomWorld.protocols()) {
                            Packet packet = new Packet(from, 49_152, to, port, protocol);
                            assertThat(hosts.stream().allMatch(host -> host.allows(packet)))
                                    .as(packet.toString())
                                    .isEqualTo(oracle.allows(from, to, protocol, port));
                        }
                    }
                }
            }
        });
    }

    @Test
    void theStateDoesNotDependOnThePath() {
        forEachSeed(seed, world -> {
            SplittableRandom random = new SplittableRandom(world);
            Map<Name, List<HasMetadata>> versions = new LinkedHashMap<>();
            Set<String> addresses = new LinkedHashSet<>();
            for (int i = 0; i < 3; i++) {
                RandomWorld.Generated generated = RandomWorld.tiered(world * 31 + i);
                addresses.addAll(generated.addresses());
                generated
                        .world()
                        .objects()
                        .forEach(object -> versions.computeIfAbsent(Name.of(object), key -> new ArrayList<>())
                                .add(object));
            }
            List<Name> names = List.copyOf(versions.keySet());
            Map<Name, HasMetadata> current = new LinkedHashMap<>();
            Hosts all = new Hosts(PolicyCalculation.forAllHosts(), HOSTS);
            Hosts one = new Hosts(PolicyCalculation.forHost("n1"), List.of("n1"));
            int synced = random.nextInt(10);
            for (int step = 0; step < 30; step++) {
                Map<Name, HasMetadata> edits = new LinkedHashMap<>();
                int count = 1 + random.nextInt(step < 10 ? 12 : 3);
                for (int i = 0; i < count; i++) {
                    Name name = names.get(random.nextInt(names.size()));
                    List<HasMetadata> contents = versions.get(name);
                    int version = random.nextInt(contents.size() + 1);
                    edits.put(name, version == contents.size() ? null : contents.get(version));
                }
                edits.forEach((name, object) -> {
                    if (object == null) {
                        current.remove(name);
                    } else {
                        current.put(name, object);
                    }
                });
                boolean nowSynced = step == synced;
                for (Hosts hosts : List.of(all, one)) {
                    hosts.calculation.transact(tx -> {
                        edits.forEach((name, object) -> {
                            if (object == null) {
                                tx.remove(versions.get(name).getFirst());
                            } else {
                                tx.put(object);
                            }
                        });
                        if (nowSynced) {
                            PolicyCalculation.kinds().forEach(tx::synced);
                        }
                    });
                    for (String host : List.copyOf(hosts.cursors.keySet())) {
                        if (random.nextInt(20) == 0) {
                            hosts.open(host);
                        }
                        if (random.nextInt(3) == 0) {
                            hosts.poll(host);
                        }
                    }
                }
            }
            all.calculation.verify();
            one.calculation.verify();
            HOSTS.forEach(all::poll);
            one.poll("n1");
            Map<String, HostState> expected = fresh(current.values());
            assertThat(all.states.toString()).isEqualTo(expected.toString());
            assertThat(one.states.get("n1")).hasToString(expected.get("n1").toString());
            assertThat(all.calculation.problems())
                    .isEqualTo(PolicyExplainer.of(current.values()).problems().stream()
                            .sorted()
                            .toList());
            int port =
                    RandomWorld.ports().get(random.nextInt(RandomWorld.ports().size()));
            compareVerdicts(all.states, current.values(), addresses, port);

            // a new list with the same objects changes nothing
            for (Hosts hosts : List.of(all, one)) {
                hosts.calculation.transact(
                        tx -> PolicyCalculation.kinds().forEach(kind -> replace(tx, kind, current.values().stream())));
                hosts.cursors
                        .values()
                        .forEach(cursor -> assertThat(cursor.poll().isEmpty()).isTrue());
            }
        });
    }

    private static <T extends HasMetadata> void replace(
            PolicyTransaction tx, Class<T> kind, Stream<HasMetadata> objects) {
        tx.replace(kind, objects.filter(kind::isInstance).map(kind::cast).toList());
    }
}
