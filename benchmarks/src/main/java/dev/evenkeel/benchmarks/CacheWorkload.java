package dev.evenkeel.benchmarks;

import static dev.evenkeel.benchmarks.ReportSection.check;

import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.controller.cache.Index;
import dev.evenkeel.controller.cache.Informer;
import dev.evenkeel.controller.cache.InformerOptions;
import dev.evenkeel.simulation.VirtualScheduler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.informers.impl.cache.CacheImpl;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Full caches: reading one object, some by label, by namespace and by an index, all; and changing objects while other
 * threads read. A peer's cache is that of its informer, filled by hand; it selects labels by an index of that or, where
 * a line mentions it, by looking at all objects, which is its only way to apply a selector.
 */
record CacheWorkload(ReportSection section, Filled filled, int objects) {
    private static final int READERS = 80;
    private static final String ONE_STATE =
            "reads see one state of all objects and indexes, in the order of keys, however long they take";
    private static final Index<ConfigMap, String> APP = Index.label(Fixture.APP);

    static void run(ReportSection section) throws Exception {
        for (int objects : new int[] {1_000, 10_000, 100_000}) {
            try (Filled filled = new Filled(objects)) {
                new CacheWorkload(section, filled, objects).run();
            }
        }
    }

    private static String label(ConfigMap map, String name) {
        return map.getMetadata().getLabels().getOrDefault(name, "");
    }

    /** Three caches with equal objects. */
    private static final class Filled implements AutoCloseable {
        private final int objects;
        private final VirtualScheduler scheduler = new VirtualScheduler(1);
        private final ScriptedClient feed;
        private final Informer<ConfigMap> informer;
        private final CacheImpl<ConfigMap> fabric8 = new CacheImpl<>();
        private final io.kubernetes.client.informer.cache.Cache<V1ConfigMap> official =
                new io.kubernetes.client.informer.cache.Cache<>();

        Filled(int objects) throws Exception {
            this.objects = objects;
            List<Encoded> kept = new ArrayList<>(objects);
            for (int i = 0; i < objects; i++) {
                kept.add(Encoded.of(Fixture.kept(i, objects, 1)));
            }
            feed = new ScriptedClient(kept);
            informer = new Informer<>(
                    feed.client(), Kind.of(ConfigMap.class), ListOptions.ALL, scheduler, InformerOptions.DEFAULT);
            informer.cache().index(APP);
            informer.start();
            check(scheduler.await(informer.synced(), Duration.ofMinutes(1)), "the informer is in sync");
            fabric8.addIndexFunc(Fixture.APP, map -> List.of(label(map, Fixture.APP)));
            official.addIndexFunc(
                    Fixture.APP, map -> List.of(map.getMetadata().getLabels().get(Fixture.APP)));
            for (Encoded one : kept) {
                ConfigMap _ = fabric8.put(one.decode(ConfigMap.class));
                official.add(JSON.deserialize(new String(one.json(), StandardCharsets.UTF_8), V1ConfigMap.class));
            }
            check(informer.cache().size() == objects, "all objects are cached");
        }

        /** Returns the JSON of {@code count} changes, each of the next version. */
        List<byte[]> changes(int count) {
            List<byte[]> changes = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                changes.add(Fixture.kept((int) (i * 7_919L % objects), objects, feed.next()));
            }
            return changes;
        }

        /** Sends changes to our informer, on this thread, until its cache shows the last. */
        Cost send(List<byte[]> changes) {
            Cost cost = Cost.of(changes, json -> {
                feed.modified(json);
                scheduler.settle();
            });
            Encoded.Header last = Encoded.Header.of(changes.getLast());
            String version = informer.cache().get(last.key()).orElseThrow().resourceVersion();
            check(version.equals(last.resourceVersion()), "the cache shows the last change");
            return cost;
        }

        /** Puts the same changes into the cache of fabric8, as its informer does. */
        Cost put(List<byte[]> changes) {
            return Cost.of(changes, json -> {
                ConfigMap _ = fabric8.put(Encoded.of(json).decode(ConfigMap.class));
            });
        }

        @Override
        public void close() {
            informer.close();
        }
    }

    /**
     * The cost of changes for the thread that makes them.
     *
     * @param perSecond changes per second of wall time, during which other threads may use the processors
     * @param micros the thread's processor time for each, which other threads affect only by slowing down memory
     */
    private record Cost(double perSecond, double micros) {
        static Cost of(List<byte[]> changes, Consumer<byte[]> change) {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long ran = threads.getCurrentThreadCpuTime();
            long from = System.nanoTime();
            changes.forEach(change);
            double count = changes.size();
            return new Cost(
                    count / ((System.nanoTime() - from) / 1e9),
                    (threads.getCurrentThreadCpuTime() - ran) / 1e3 / count);
        }
    }

    private void run() throws Exception {
        Cache<ConfigMap> cache = filled.informer.cache();
        CacheImpl<ConfigMap> fabric8 = filled.fabric8;
        String of = " of " + objects;
        ObjectKey[] keys = new ObjectKey[objects];
        String[] names = new String[objects];
        for (int i = 0; i < objects; i++) {
            keys[i] = ObjectKey.of(Fixture.namespace(i), StoredObjects.name(i));
            names[i] = keys[i].namespace() + "/" + keys[i].name();
        }
        IntFunction<Object> get = i -> cache.get(keys[spread(i)]).orElseThrow();
        both("get, 1" + of + ", shared", Unit.NANOSECONDS, get, i -> fabric8.getByKey(names[spread(i)]));
        section.guarantee("a key is a namespace and a name, as callers have them, and not a text of both");
        both(
                "get, 1" + of + ", by namespace and name",
                Unit.NANOSECONDS,
                i -> {
                    ObjectKey key = keys[spread(i)];
                    return cache.get(ObjectKey.of(key.namespace(), key.name())).orElseThrow();
                },
                i -> {
                    ObjectKey key = keys[spread(i)];
                    return fabric8.getByKey(io.fabric8.kubernetes.client.informers.cache.Cache.namespaceKeyFunc(
                            key.namespace(), key.name()));
                });
        if (objects == 100_000) {
            KubernetesSerialization copies = new KubernetesSerialization();
            section.both(
                    "cache: the same, official client as peer",
                    Unit.NANOSECONDS,
                    nanos(get),
                    nanos(i -> filled.official.getByKey(names[spread(i)])),
                    Peers.OFFICIAL);
            both(
                    "get, 1" + of + ", a copy of one's own",
                    Unit.NANOSECONDS,
                    i -> cache.find(keys[spread(i)]).orElseThrow(),
                    i -> copies.clone(fabric8.getByKey(names[spread(i)])));
            section.elsewhere("Go, cached get with its copy: 4.6-4.9 µs");
        }
        int some = 100;
        String app = Fixture.app(7, objects);
        LabelSelector one = LabelSelector.parse(Fixture.APP + "=" + app);
        check(cache.list(one).size() == some, "a label selects " + some);
        check(fabric8.byIndex(Fixture.APP, app).size() == some, "as it does there");
        lists("list by label with an index, 100" + of, i -> cache.list(one), i -> fabric8.byIndex(Fixture.APP, app));
        section.guarantee(ONE_STATE);
        LabelSelector unindexed = LabelSelector.parse("tier in (front), app=" + app);
        check(!cache.list(unindexed).isEmpty(), "two labels select some");
        lists(
                "two labels, one of them indexed" + of,
                i -> cache.list(unindexed),
                i -> front(fabric8.byIndex(Fixture.APP, app)));
        section.guarantee(ONE_STATE);
        LabelSelector tier = LabelSelector.parse("tier=front");
        lists("list by label without an index, a third" + of, i -> cache.list(tier), i -> front(fabric8.list()));
        lists(
                "list a namespace, 100" + of,
                i -> cache.list(Fixture.namespace(spread(i))),
                i -> fabric8.byIndex(CacheImpl.NAMESPACE_INDEX, Fixture.namespace(spread(i))));
        lists("list all " + objects, i -> cache.list(), i -> fabric8.list());
        if (objects == 100_000) {
            section.elsewhere("Go, shared: index 27 µs, label 35 ms, namespace 31 µs, all 48 ms");
            index(cache);
            writers(cache);
        }
    }

    private static List<ConfigMap> front(List<ConfigMap> maps) {
        return maps.stream().filter(map -> label(map, "tier").equals("front")).toList();
    }

    private int spread(int i) {
        return (int) (i * 7_919L % objects);
    }

    private void lists(String workload, IntFunction<Object> ours, IntFunction<Object> theirs) {
        both(workload, Unit.MICROSECONDS, ours, theirs);
    }

    private void both(String workload, Unit unit, IntFunction<Object> ours, IntFunction<Object> theirs) {
        double mine = unit.ofNanos(nanos(ours));
        section.both("cache: " + workload, unit, mine, unit.ofNanos(nanos(theirs)), Peers.FABRIC8);
    }

    /** Returns nanoseconds for each operation: the best of some rounds, to exclude disturbances. */
    private double nanos(IntFunction<Object> read) {
        double best = Double.MAX_VALUE;
        long end = System.nanoTime() + section.length().measured().toNanos() / 5;
        int batch = 1;
        int from = 0;
        for (int round = 0; round < 5 || System.nanoTime() < end; round++) {
            int seen = 0;
            long began = System.nanoTime();
            for (int i = 0; i < batch; i++) {
                seen += System.identityHashCode(read.apply(from++ & 0xfffff)) & 1;
            }
            long took = System.nanoTime() - began;
            check(seen >= 0, "the results are used");
            best = Math.min(best, took / (double) batch);
            if (took < 5_000_000 && batch < 1 << 20) {
                batch *= 2;
                best = Double.MAX_VALUE;
                round = 0;
            }
        }
        return best;
    }

    private void index(Cache<ConfigMap> cache) {
        Index<ConfigMap, String> tier = Index.label("tier");
        long began = System.nanoTime();
        cache.index(tier);
        double ours = (System.nanoTime() - began) / 1e6;
        began = System.nanoTime();
        filled.fabric8.addIndexFunc("tier", map -> List.of(label(map, "tier")));
        double theirs = (System.nanoTime() - began) / 1e6;
        section.both("cache: add an index over " + objects, Unit.MILLISECONDS, ours, theirs, Peers.FABRIC8);
    }

    /**
     * Measures changes of a cache: alone, and while eighty threads list all objects in a loop. Those threads need
     * processors too, so there is a line with eighty busy threads that do not use the cache, and lines with the
     * processor time of a change: the cost of cache readers appears there only as far as they slow down the cache.
     */
    private void writers(Cache<ConfigMap> cache) throws Exception {
        int changes = section.quick() ? 20_000 : 100_000;
        Cost _ = filled.send(filled.changes(changes));
        Cost _ = filled.put(filled.changes(changes));
        List<byte[]> many = filled.changes(changes);
        costs("cache: changes, two indexes", filled.send(many), filled.put(many));
        section.guarantee("earlier states stay readable; a late event never hides the answer to a later write");
        contended("cache: the same with 80 busy threads", Thread::onSpinWait, Thread::onSpinWait);
        contended("cache: the same with 80 threads that list all", cache::list, filled.fabric8::list);
        section.elsewhere("Go: 196,000 events/s alone; 130 and 11 with 10 and 80 readers that list 10,000");
    }

    private void contended(String workload, Runnable reader, Runnable peersReader) throws Exception {
        List<byte[]> changes = filled.changes(5_000);
        costs(
                workload,
                contended(reader, () -> filled.send(changes)),
                contended(peersReader, () -> filled.put(changes)));
    }

    private void costs(String workload, Cost ours, Cost theirs) {
        section.both(workload, Unit.PER_SECOND, ours.perSecond, theirs.perSecond, Peers.FABRIC8);
        section.both(workload + ", time run", Unit.MICROSECONDS, ours.micros, theirs.micros, Peers.FABRIC8);
    }

    private static Cost contended(Runnable reader, Supplier<Cost> changes) throws Exception {
        AtomicLong reads = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
            threads.add(Thread.ofPlatform().daemon().start(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    reader.run();
                    reads.incrementAndGet();
                }
            }));
        }
        try {
            while (reads.get() < READERS) {
                Thread.sleep(1);
            }
            return changes.get();
        } finally {
            threads.forEach(Thread::interrupt);
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
