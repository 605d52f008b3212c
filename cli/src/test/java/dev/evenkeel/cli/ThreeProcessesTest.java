package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.contract.JavaProcess;
import dev.evenkeel.kubernetes.KubernetesClient;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Three processes run one controller against one server, and one of them is killed or frozen.
 *
 * <p>The server is the judge: the versions of all objects and leases, in the order of their revisions, show who held
 * which lease when each write was accepted.
 */
@Timeout(300)
@Isolated("leases run out in real time")
class ThreeProcessesTest {
    private static final int OBJECTS = 48;
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);

    @TempDir
    static Path directory;

    private static ServerProcess server;
    private static KubernetesClient client;

    private final Map<String, JavaProcess> processes = new LinkedHashMap<>();
    private History history;
    private Thread poker = Thread.currentThread();
    private volatile boolean poking;

    @BeforeAll
    static void serve() throws IOException, InterruptedException {
        server = ServerProcess.start(directory);
        client = KubernetesClient.connect(server.connection());
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @AfterEach
    void kill() throws InterruptedException {
        if (poking) {
            poking = false;
            poker.join();
        }
        processes.values().forEach(JavaProcess::close);
        if (history != null) {
            history.close();
        }
    }

    /** A write of a controller that the server accepted. */
    private record Write(long revision, String name, String poke, String by, String lease, int term, long seen) {}

    /** The holder of a lease from a revision on. */
    private record Holder(String identity, int term) {}

    /** All versions of objects and leases of a namespace, as a watch tells them. */
    private static final class History implements AutoCloseable {
        private final Watch<ConfigMap> maps;
        private final Watch<Lease> leases;
        private final Map<String, ConfigMap> present = new TreeMap<>();
        private final List<Write> writes = new ArrayList<>();
        private final Map<String, TreeMap<Long, Holder>> holders = new HashMap<>();
        private long leaseRevision;

        History(String namespace) {
            maps = client.watch(MAPS, ListOptions.in(namespace));
            leases = client.watch(Kind.of(Lease.class), ListOptions.in(namespace));
            Thread.ofVirtual().start(() -> read(maps, this::map));
            Thread.ofVirtual().start(() -> read(leases, this::lease));
        }

        private interface Reader<T extends HasMetadata> {
            void read(T object, long revision);
        }

        private <T extends HasMetadata> void read(Watch<T> watch, Reader<T> reader) {
            try {
                for (Optional<Watch.Event<T>> next = watch.next(); next.isPresent(); next = watch.next()) {
                    if (next.get().type() == Watch.Type.BOOKMARK) {
                        continue;
                    }
                    synchronized (this) {
                        reader.read(
                                next.get().object(), Long.parseLong(next.get().resourceVersion()));
                        notifyAll();
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void map(ConfigMap map, long revision) {
            if (map.getData() == null) {
                return;
            }
            ConfigMap before = present.put(map.getMetadata().getName(), map);
            String done = map.getData().get("done");
            if (before != null && done != null && !done.equals(before.getData().get("done"))) {
                writes.add(new Write(
                        revision,
                        map.getMetadata().getName(),
                        done,
                        map.getData().get("by"),
                        map.getData().get("lease"),
                        Integer.parseInt(map.getData().get("term")),
                        System.nanoTime()));
            }
        }

        private void lease(Lease lease, long revision) {
            leaseRevision = revision;
            if (lease.getSpec() != null) {
                String holder =
                        Optional.ofNullable(lease.getSpec().getHolderIdentity()).orElse("");
                int term = Optional.ofNullable(lease.getSpec().getLeaseTransitions())
                        .orElse(0);
                holders.computeIfAbsent(lease.getMetadata().getName(), name -> new TreeMap<>())
                        .put(revision, new Holder(holder, term));
            }
        }

        /** Waits until this is so. */
        synchronized void await(String what, Predicate<History> wanted) throws InterruptedException {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
            while (!wanted.test(this)) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                assertThat(left).as(what).isPositive();
                wait(left);
            }
        }

        synchronized List<Write> writes() {
            return List.copyOf(writes);
        }

        /** Returns the last writer of each object. */
        synchronized Map<String, String> last() {
            Map<String, String> last = new TreeMap<>();
            writes.forEach(write -> last.put(write.name(), write.by()));
            return last;
        }

        synchronized Optional<Write> first(Predicate<Write> wanted) {
            return writes.stream().filter(wanted).findFirst();
        }

        /**
         * Checks that each accepted write came from the holder of the lease at that time, and each key always from the
         * same lease.
         */
        synchronized void judge() {
            Map<String, Set<String>> leasesOfKey = new HashMap<>();
            Map<String, Set<String>> writersOfTerm = new HashMap<>();
            for (Write write : writes) {
                if (write.revision() > leaseRevision) {
                    continue;
                }
                var held = holders.getOrDefault(write.lease(), new TreeMap<>()).floorEntry(write.revision());
                assertThat(held).as("%s", write).isNotNull();
                assertThat(held.getValue()).as("%s", write).isEqualTo(new Holder(write.by(), write.term()));
                leasesOfKey
                        .computeIfAbsent(write.name(), name -> new HashSet<>())
                        .add(write.lease());
                writersOfTerm
                        .computeIfAbsent(write.lease() + "/" + write.term(), term -> new HashSet<>())
                        .add(write.by());
            }
            assertThat(leasesOfKey.values()).allSatisfy(all -> assertThat(all).hasSize(1));
            assertThat(writersOfTerm.values()).allSatisfy(all -> assertThat(all).hasSize(1));
        }

        @Override
        public void close() {
            maps.close();
            leases.close();
        }
    }

    private static ObjectKey key(String namespace, int i) {
        return ObjectKey.of(namespace, "map-" + i);
    }

    /** Three processes, which have all begun to work, and objects that are poked until the test ends. */
    private void start(String namespace, String placement) throws IOException, InterruptedException {
        client.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace)
                .endMetadata()
                .build());
        for (int i = 0; i < OBJECTS; i++) {
            client.create(new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace(namespace)
                    .withName("map-" + i)
                    .endMetadata()
                    .addToData("poke", "first")
                    .build());
        }
        history = new History(namespace);
        for (String identity : List.of("a", "b", "c")) {
            processes.put(
                    identity,
                    JavaProcess.start(
                            CountingProcess.class, server.kubeconfig().toString(), namespace, identity, placement));
        }
        for (JavaProcess process : processes.values()) {
            process.await(line -> line.startsWith("started"));
        }
        poke(namespace);
    }

    /** Pokes one object after the other, until the test ends. */
    private void poke(String namespace) {
        poking = true;
        poker = Thread.ofVirtual().start(() -> {
            long next = System.nanoTime();
            for (int n = 0; poking; n++) {
                client.patch(
                        MAPS,
                        key(namespace, n % OBJECTS),
                        Patch.merge("{\"data\": {\"poke\": \"" + n + "\"}}"),
                        WriteOptions.DEFAULT);
                next += TimeUnit.MILLISECONDS.toNanos(20);
                LockSupport.parkNanos(next - System.nanoTime());
            }
        });
    }

    /** Returns true if each of three processes has a good part of the keys. */
    private static boolean isShared(History history) {
        Map<String, Long> shares =
                history.last().values().stream().collect(Collectors.groupingBy(by -> by, Collectors.counting()));
        return shares.size() == 3 && shares.values().stream().allMatch(share -> share >= OBJECTS / 8);
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }

    private static void report(String format, Object... values) {
        System.out.println("three processes: " + String.format(Locale.ROOT, format, values));
    }

    @Test
    void anotherProcessLeadsWhenTheLeaderIsKilled() throws Exception {
        start("leader", "leader");
        history.await("all objects are answered", h -> h.last().size() == OBJECTS);
        String leader = history.last().values().iterator().next();
        assertThat(history.last().values()).containsOnly(leader);

        long killed = System.nanoTime();
        processes.get(leader).kill();
        history.await(
                "another one writes",
                h -> h.writes().getLast().seen() > killed
                        && !h.writes().getLast().by().equals(leader));

        Write first = history.first(write -> !write.by().equals(leader)).orElseThrow();
        report("leader killed: the next one's first write after %.2f s", seconds(first.seen() - killed));
        history.await(
                "all objects are answered by it",
                h -> h.last().values().stream().allMatch(first.by()::equals));
        List<String> order = history.writes().stream().map(Write::by).distinct().toList();
        assertThat(order).containsExactly(leader, first.by());
        assertThat(history.writes().stream()
                        .dropWhile(write -> write.by().equals(leader))
                        .map(Write::by))
                .containsOnly(first.by());
        history.judge();
    }

    @Test
    void theKeysOfAKilledProcessAreTakenOver() throws Exception {
        start("shards", "sharded");
        history.await("all three have their share", ThreeProcessesTest::isShared);
        String victim = history.last().values().iterator().next();

        long killed = System.nanoTime();
        processes.get(victim).kill();
        Set<String> orphans = history.last().entrySet().stream()
                .filter(entry -> entry.getValue().equals(victim))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        Predicate<History> taken =
                h -> orphans.stream().noneMatch(name -> h.last().get(name).equals(victim));
        history.await("the other processes have all of its keys", taken);
        long last = System.nanoTime();
        Write first = history.first(write -> write.seen() > killed
                        && orphans.contains(write.name())
                        && !write.by().equals(victim))
                .orElseThrow();
        report(
                "one of three shards killed: the first of its %d keys after %.2f s, all of them after %.2f s",
                orphans.size(), seconds(first.seen() - killed), seconds(last - killed));

        assertThat(history.last().values()).doesNotContain(victim);
        history.judge();
    }

    @Test
    void theLateWriteOfAFrozenProcessIsRefused() throws Exception {
        JavaProcess.assumeSignals();
        start("frozen", "sharded");
        history.await("all three have their share", ThreeProcessesTest::isShared);
        double refusals = server.metric("evenkeel_fence_refusals_total");
        Map.Entry<String, String> chosen = history.last().entrySet().iterator().next();
        String name = chosen.getKey();
        AtomicReference<String> owner = new AtomicReference<>(chosen.getValue());
        slowDown(name, chosen.getValue());
        history.await("the owner of the key is at it", h -> {
            String now = h.last().get(name);
            if (!owner.get().equals(now)) { // the key moved while the shares settled
                owner.set(now);
                slowDown(name, now);
            }
            return now.equals(h.present.get(name).getData().get("begun"));
        });
        String frozen = owner.get();
        JavaProcess process = processes.get(frozen);
        process.await(line -> line.startsWith("begun")); // else the lost lease may interrupt the write that says it
        long stopped = System.nanoTime();
        process.freeze();
        history.await("another one has its key", h -> !frozen.equals(h.last().get(name)));
        long taken = System.nanoTime();
        process.thaw();
        String said = process.await(line -> line.startsWith("refused") || line.startsWith("written"));
        report("one of three shards frozen: another has its key after %.2f s", seconds(taken - stopped));

        assertThat(said).startsWith("refused").contains(name);
        assertThat(server.metric("evenkeel_fence_refusals_total")).isGreaterThan(refusals);
        history.await(
                "it works again",
                h -> h.first(write -> write.seen() > taken && write.by().equals(frozen))
                        .isPresent());
        history.judge();
    }

    private void slowDown(String name, String process) {
        client.patch(
                MAPS,
                ObjectKey.of("frozen", name),
                Patch.merge("{\"data\": {\"slow\": \"" + process + "\", \"poke\": \"slow " + process + "\"}}"),
                WriteOptions.DEFAULT);
    }
}
