package dev.evenkeel.soak;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.controller.cache.Informer;
import dev.evenkeel.controller.cache.InformerOptions;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Two managers at one server for a long time, with continuous writes, and networks and leases that are lost and
 * regained.
 *
 * <p>The problem: tests of seconds do not find defects that occur once in a million events, or leaks of a few bytes
 * each. Verified at the end:
 *
 * <ol>
 *   <li>No cached read was older than an own write of the process that had been answered before.
 *   <li>No key was reconciled by two workers at once.
 *   <li>When writes end, each cache becomes equal to the server, and each object has the state its controllers want.
 *   <li>The heap after collections does not grow: less than half a percent a minute.
 * </ol>
 *
 * <p>The server is a process of its own, so that the heap is that of the controllers. It keeps about fifteen seconds of
 * history, and each cut of a network lasts longer than that: so each ends with a list, after a 410. Faults occur in
 * rounds; memory is measured at the end of each, when the lists that they cause are over.
 */
public final class Soak {
    private static final Duration ROUND = Duration.ofSeconds(40);

    /** Seconds of history that the server keeps. */
    public static final int HISTORY_SECONDS = 15;

    private static final Duration CUT = Duration.ofSeconds(HISTORY_SECONDS + 3);
    private static final Duration SETTLE = Duration.ofMinutes(2);
    private static final double STEEPEST = 0.5;
    private static final int WRITERS = 8;

    /**
     * The settings of a run.
     *
     * @param objects how many there are
     * @param duration of the churn
     * @param rate events a second
     * @param seed of the writes and faults
     */
    public record Settings(int objects, Duration duration, int rate, long seed) {}

    private final Settings settings;
    private final Consumer<String> say;
    private final SoakTally tally = new SoakTally();
    private final HeapTrend heap = new HeapTrend();
    private final AtomicLong sequence = new AtomicLong();
    private final AtomicBoolean over = new AtomicBoolean();
    private long start;
    private long lastHeap;

    public Soak(Settings settings, Consumer<String> say) {
        this.settings = settings;
        this.say = say;
    }

    /**
     * Runs the soak on the server at a connection.
     *
     * @param through the same connection by another port of this machine
     * @return the failures; empty on success
     */
    public List<String> run(Connection direct, int port, java.util.function.IntFunction<Connection> through)
            throws InterruptedException {
        start = System.nanoTime();
        try (KubernetesClient plain = KubernetesClient.connect(direct)) {
            List<List<ObjectKey>> keys = fill(plain);
            say("%d objects created", settings.objects);
            List<SoakMember> members = new ArrayList<>();
            try {
                for (String name : List.of("soak-a", "soak-b")) {
                    Network network = new Network(port);
                    members.add(new SoakMember(
                            name,
                            network,
                            through.apply(network.port()),
                            members.isEmpty() ? InformerOptions.Mode.PAGES : InformerOptions.Mode.STREAM,
                            tally));
                }
                long listed = System.nanoTime();
                for (SoakMember member : members) {
                    member.manager.informer(Kind.of(ConfigMap.class)).synced().join();
                    member.manager.informer(Kind.of(Secret.class)).synced().join();
                }
                say("both managers are in sync, after %s", since(listed));
                List<String> differences = settle(plain, members);
                if (!differences.isEmpty()) {
                    differences.addFirst("not as desired before the first fault");
                    return differences;
                }
                say("all objects are as desired; churn begins");
                churn(plain, members, keys);
                long ended = System.nanoTime();
                differences = settle(plain, members);
                String state = differences.isEmpty() ? "equal to the server" : "still different";
                say("%s %s after the last write", state, since(ended));
                return verdict(members, differences);
            } finally {
                members.forEach(SoakMember::close);
            }
        }
    }

    private List<List<ObjectKey>> fill(Client client) {
        for (String namespace : SoakWriter.namespaces()) {
            client.create(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName(namespace)
                    .endMetadata()
                    .build());
        }
        List<List<ObjectKey>> keys = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 2 * WRITERS; i++) {
                List<ObjectKey> own = new ArrayList<>();
                keys.add(own);
                threads.execute(() -> {
                    long number = sequence.getAndIncrement();
                    while (number < settings.objects) {
                        own.add(ObjectKey.of(client.create(SoakWriter.object(number))));
                        number = sequence.getAndIncrement();
                    }
                });
            }
        }
        return keys;
    }

    // ---- churn

    private void churn(Client plain, List<SoakMember> members, List<List<ObjectKey>> keys) throws InterruptedException {
        CountDownLatch end = new CountDownLatch(2 * WRITERS);
        long began = System.nanoTime();
        for (int i = 0; i < 2 * WRITERS; i++) {
            SoakMember member = members.get(i % members.size());
            SoakWriter writer = new SoakWriter(member, tally, sequence, new Random(settings.seed + i), keys.get(i));
            Thread.ofVirtual().name("writer " + i).start(() -> {
                try {
                    pace(writer);
                } catch (RuntimeException e) {
                    tally.wrong("a writer ended: " + e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } finally {
                    end.countDown();
                }
            });
        }
        Random random = new Random(settings.seed);
        long deadline = began + settings.duration.toNanos();
        for (int round = 0; System.nanoTime() < deadline; round++) {
            round(plain, members, random, round, deadline);
        }
        over.set(true);
        end.await();
        double took = (System.nanoTime() - began) / 1e9;
        say(
                "churn is over: %d writes, %.0f a second, %d of unknown outcome",
                tally.writes.sum(), tally.writes.sum() / took, tally.unknown.sum());
    }

    /** Writes at the rate of a single writer; catches up after short pauses, but not after long ones. */
    private void pace(SoakWriter writer) throws InterruptedException {
        long step = 2L * WRITERS * 1_000_000_000 / settings.rate;
        long next = System.nanoTime();
        while (!over.get()) {
            long now = System.nanoTime();
            if (now < next) {
                LockSupport.parkNanos(next - now);
                continue;
            }
            next = Math.max(next + step, now - Duration.ofSeconds(30).toNanos());
            writer.write();
        }
    }

    /** Injects faults in the first half of a round; in the second the system recovers, and memory is measured. */
    private void round(Client plain, List<SoakMember> members, Random random, int round, long deadline)
            throws InterruptedException {
        long began = System.nanoTime();
        SoakMember cut = members.get(round % members.size());
        SoakMember broken = members.get(random.nextInt(members.size()));
        at(began, Duration.ofSeconds(1), deadline);
        broken.network.breakAll();
        tally.faults.increment();
        at(began, Duration.ofSeconds(3), deadline);
        flap(plain);
        at(began, Duration.ofSeconds(6), deadline);
        cut.network.cut();
        tally.faults.increment();
        at(began, Duration.ofSeconds(6).plus(CUT), deadline);
        cut.network.restore();
        for (Duration time : List.of(ROUND.minusSeconds(4), ROUND.minusSeconds(1))) {
            if (at(began, time, deadline)) {
                measure();
            }
        }
        progress(members);
        at(began, ROUND, deadline);
    }

    /** Sleeps until a time of the round, or until the end; returns false when the end comes first. */
    private static boolean at(long began, Duration time, long deadline) throws InterruptedException {
        long until = Math.min(began + time.toNanos(), deadline);
        Thread.sleep(Duration.ofNanos(Math.max(0, until - System.nanoTime())));
        return until < deadline;
    }

    /** Simulates another process that takes the leader's lease and disappears. */
    private void flap(Client plain) {
        ObjectKey key = ObjectKey.of(SoakMember.NAMESPACE, SoakMember.COPY);
        tally.faults.increment();
        try {
            Lease lease = plain.get(Lease.class, key);
            int transitions = Objects.requireNonNullElse(lease.getSpec().getLeaseTransitions(), 0) + 1;
            Patch taken =
                    Patch.merge("{\"spec\":{\"holderIdentity\":\"other\",\"leaseTransitions\":" + transitions + "}}");
            plain.patch(Kind.of(Lease.class), key, taken, WriteOptions.DEFAULT);
        } catch (ApiException e) {
            // another process is taking it at the moment
        }
    }

    private void measure() {
        System.gc();
        lastHeap = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
                .mapToLong(pool -> pool.getCollectionUsage().getUsed())
                .sum();
        heap.add(minutes(), lastHeap);
    }

    private void progress(List<SoakMember> members) {
        StringBuilder line = new StringBuilder(text(
                "%,d writes, %,d reconciliations, %,d own writes checked, %d stale, %d times active, %d faults, heap %.1f MB",
                tally.writes.sum(),
                tally.reconciliations.sum(),
                tally.checks.sum(),
                tally.stale.sum(),
                tally.activations.sum(),
                tally.faults.sum(),
                lastHeap / 1e6));
        for (SoakMember member : members) {
            Informer.Statistics figures =
                    member.manager.informer(Kind.of(ConfigMap.class)).figures();
            line.append(text(
                    "; %s %,d objects, %d lists again, %d watches again",
                    member.name, figures.objects(), figures.relists(), figures.watchRestarts()));
        }
        say("%s", line);
    }

    // ---- the end

    /**
     * Waits until all caches are equal to the server and all objects are as wanted; returns the differences when that
     * takes too long.
     */
    private List<String> settle(Client plain, List<SoakMember> members) throws InterruptedException {
        long deadline = System.nanoTime() + SETTLE.toNanos();
        while (true) {
            List<String> differences = differences(plain, members);
            if (differences.isEmpty() || System.nanoTime() > deadline) {
                return differences;
            }
            Thread.sleep(Duration.ofSeconds(1));
        }
    }

    private static List<String> differences(Client plain, List<SoakMember> members) {
        List<String> found = new ArrayList<>();
        Map<ObjectKey, ConfigMap> maps = all(plain, ConfigMap.class);
        Map<ObjectKey, Secret> secrets = all(plain, Secret.class);
        for (SoakMember member : members) {
            compare(member, Kind.of(ConfigMap.class), maps, found);
            compare(member, Kind.of(Secret.class), secrets, found);
        }
        maps.forEach((key, map) -> {
            if (SoakMember.isFor(SoakMember.MIRROR, map)) {
                expect(found, "the mirror of " + key, SoakMember.value(map), SoakMember.mirrored(map));
            } else if (SoakMember.isFor(SoakMember.COPY, map)) {
                Secret secret = secrets.get(key);
                String copied = secret == null ? "none" : SoakMember.mirrored(secret);
                expect(found, "the copy of " + key, SoakMember.value(map), copied);
            }
        });
        return shortened(found);
    }

    private static void expect(List<String> found, String what, String wanted, String present) {
        if (!wanted.equals(present)) {
            found.add(what + " is " + present + " instead of " + wanted);
        }
    }

    private static <T extends HasMetadata> Map<ObjectKey, T> all(Client client, Class<T> type) {
        Map<ObjectKey, T> all = new HashMap<>();
        client.list(type, ListOptions.ALL).items().forEach(object -> all.put(ObjectKey.of(object), object));
        return all;
    }

    private static <T extends HasMetadata> void compare(
            SoakMember member, Kind<T> kind, Map<ObjectKey, T> server, List<String> found) {
        List<Cache.Entry<T>> cached = member.manager.informer(kind).cache().list();
        for (Cache.Entry<T> object : cached) {
            T there = server.get(object.key());
            if (there == null) {
                found.add(member.name + " has " + kind.kind() + " " + object.key() + ", which is gone");
            } else {
                String what = member.name + "'s " + kind.kind() + " " + object.key();
                expect(found, what, there.getMetadata().getResourceVersion(), object.resourceVersion());
            }
        }
        if (cached.size() < server.size()) {
            found.add(member.name + " lacks " + (server.size() - cached.size()) + " of " + kind.id());
        }
    }

    private static List<String> shortened(List<String> all) {
        List<String> few = new ArrayList<>(all.subList(0, Math.min(all.size(), 10)));
        if (all.size() > few.size()) {
            few.add("and " + (all.size() - few.size()) + " more");
        }
        return few;
    }

    private List<String> verdict(List<SoakMember> members, List<String> differences) {
        List<String> wrong = new ArrayList<>(differences);
        wrong.addAll(tally.wrong());
        long relists = 0;
        for (SoakMember member : members) {
            for (Kind<?> kind : List.of(Kind.of(ConfigMap.class), Kind.of(Secret.class))) {
                member.problems(kind).ifPresent(wrong::add);
                relists += member.manager.informer(kind).figures().relists();
            }
        }
        double warm = Math.min(minutes() / 4, 3);
        HeapTrend.Slope slope = heap.since(minutes() - settings.duration.toSeconds() / 60.0 + warm);
        say(
                "%,d writes; %,d own writes checked, %,d stale; %,d reconciliations, %,d of them refused or broken off by a"
                        + " lost place; %d lists again; heap %.1f MB, %+.2f %% a minute (± %.2f, %d samples)",
                tally.writes.sum(),
                tally.checks.sum(),
                tally.stale.sum(),
                tally.reconciliations.sum(),
                tally.placesLost.sum(),
                relists,
                lastHeap / 1e6,
                slope.percentPerMinute(),
                slope.error(),
                slope.samples());
        if (slope.percentPerMinute() >= STEEPEST) {
            wrong.add(text("memory grows by %.2f %% a minute; allowed: less than 0.5", slope.percentPerMinute()));
        }
        return wrong;
    }

    private double minutes() {
        return (System.nanoTime() - start) / 60e9;
    }

    /** Prints a line that begins with the time since the start. */
    private void say(String format, Object... arguments) {
        say.accept(text("%7s  ", since(start)) + text(format, arguments));
    }

    private static String since(long begin) {
        return text("%.1f s", (System.nanoTime() - begin) / 1e9);
    }

    @SuppressWarnings("AnnotateFormatMethod") // all formats are constants
    private static String text(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }
}
