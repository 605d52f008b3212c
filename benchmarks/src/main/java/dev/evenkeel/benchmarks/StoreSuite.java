package dev.evenkeel.benchmarks;

import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.read.ListQuery;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.store.etcd.LocalEtcd;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.stream.Stream;

/**
 * Durable stores, in the directory for temporary files: it should be on a disk. The same workloads for each
 * {@link DurableStoreUnderTest}, compared with the same data without this project.
 */
record StoreSuite(ReportSection section, DurableStoreUnderTest store) {
    private static final String IN_MEMORY = "in memory";
    private static final int LISTED = 6_000;

    static void run(ReportSection section) throws Exception {
        StoreSuite warmup = new StoreSuite(section, SqliteUnderTest.FLUSH);
        double _ = warmup.inProcess(16) + warmup.overHttp(16); // compiles
        for (DurableStoreUnderTest store : List.of(SqliteUnderTest.SYNC, SqliteUnderTest.FLUSH)) {
            new StoreSuite(section, store).creates();
        }
        new StoreSuite(section, SqliteUnderTest.SYNC).contents();
        if (LocalEtcd.installed()) {
            try (EtcdUnderTest etcd = new EtcdUnderTest()) {
                new StoreSuite(section, etcd).creates();
                new StoreSuite(section, etcd).contents();
            }
        } else {
            section.elsewhere("etcd is not measured: it is not installed (Debian: etcd-server)");
        }
    }

    private void creates() throws Exception {
        for (int clients : new int[] {1, 16, 64}) {
            String with = ", " + store.label() + ", " + clients + (clients == 1 ? " client" : " clients");
            double limit = withDirectory(directory -> store.bareCreates(directory, clients, section.length()));
            section.both("creates in process" + with, Unit.PER_SECOND, inProcess(clients), limit, store.bare());
            section.both("creates over HTTP" + with, Unit.PER_SECOND, overHttp(clients), limit, store.bare());
            withDirectory(directory -> {
                store.others(section, directory, clients);
                return clients;
            });
        }
    }

    private void contents() throws Exception {
        for (int objects : new int[] {1_000, 10_000, 100_000}) {
            restart(objects);
        }
        heap(section.quick() ? 10_000 : 100_000);
        section.both(
                "list of " + LISTED + ", about 6 MB, in process, " + store.label(),
                Unit.MILLISECONDS,
                withDirectory(directory -> listInProcess(store.open(directory))),
                listInProcess(Engine.create()),
                IN_MEMORY);
        section.both(
                "list of " + LISTED + ", about 6 MB, over HTTP, " + store.label(),
                Unit.MILLISECONDS,
                withDirectory(directory -> listOverHttp(store.open(directory))),
                listOverHttp(Engine.create()),
                IN_MEMORY);
        deliveries();
    }

    /** Does something with a new directory, which is deleted afterwards. */
    static <T> T withDirectory(Measure<T> measure) throws Exception {
        Path directory = Files.createTempDirectory("bench");
        try {
            return measure.in(directory);
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @FunctionalInterface
    interface Measure<T> {
        T in(Path directory) throws Exception;
    }

    private double inProcess(int clients) throws Exception {
        return withDirectory(directory -> {
            try (Engine engine = store.open(directory)) {
                ResourceApi partition = ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION));
                Target maps = maps(partition);
                DoubleAdder sum = new DoubleAdder();
                Load.concurrently(
                        Thread.ofVirtual(),
                        clients,
                        client -> sum.add(Load.perSecond(
                                section.length(),
                                count -> partition.create(
                                        maps,
                                        Body.json(StoredObjects.configMap(number(client, count))),
                                        WriteOptions.DEFAULT))));
                return sum.sum();
            }
        });
    }

    private double overHttp(int clients) throws Exception {
        return withDirectory(directory -> {
            try (EvenkeelServer server = new EvenkeelServer(store.open(directory))) {
                return Load.perSecond(
                        server.port(),
                        clients,
                        section.length(),
                        (wire, client, count) -> wire.call(
                                "POST", StoredObjects.COLLECTION, StoredObjects.configMap(number(client, count)), 201));
            }
        });
    }

    private static int number(int client, int count) {
        return client * 10_000_000 + count;
    }

    private static Target maps(ResourceApi partition) {
        return partition.types().resource("", "v1", "configmaps").orElseThrow().withName("default", "");
    }

    /** Measures how long an engine takes to open, until the first answer, and what objects take on disk. */
    private void restart(int objects) throws Exception {
        double[] figures = withDirectory(directory -> {
            try (Engine engine = store.open(directory)) {
                fill(engine, objects);
            }
            double bytes = store.bytes(directory) / (double) objects;
            double[] millis = new double[5];
            for (int i = 0; i < millis.length; i++) {
                long begin = System.nanoTime();
                try (Engine engine = store.open(directory)) {
                    ResourceApi partition = ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION));
                    partition.get(maps(partition).withName("default", StoredObjects.name(objects / 2)), "", User.ADMIN);
                    millis[i] = (System.nanoTime() - begin) / 1e6;
                }
            }
            Arrays.sort(millis);
            return new double[] {millis[millis.length / 2], bytes};
        });
        String with = " " + objects + " objects, " + store.label();
        section.ours("restart to the first answer," + with, Unit.MILLISECONDS, figures[0]);
        section.ours("on disk for each of" + with, Unit.BYTES, figures[1]);
    }

    private static void fill(Engine engine, int objects) throws Exception {
        ResourceApi partition = ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION));
        Target maps = maps(partition);
        int clients = 64;
        Load.concurrently(Thread.ofVirtual(), clients, client -> {
            for (int i = client; i < objects; i += clients) {
                partition.create(maps, Body.json(StoredObjects.configMap(i)), WriteOptions.DEFAULT);
            }
        });
    }

    private void heap(int objects) throws Exception {
        section.both(
                "heap for each of " + objects + " objects, " + store.label(),
                Unit.BYTES,
                withDirectory(directory -> heap(store.open(directory), objects)),
                heap(Engine.create(), objects),
                IN_MEMORY);
    }

    private static double heap(Engine filled, int objects) throws Exception {
        try (Engine engine = filled) {
            long empty = Heap.used();
            fill(engine, objects);
            return (Heap.used() - empty) / (double) objects;
        }
    }

    private double listInProcess(Engine filled) throws Exception {
        try (Engine engine = filled) {
            fill(engine, LISTED);
            ResourceApi partition = ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION));
            Target maps = maps(partition);
            return 1_000
                    / Load.perSecond(section.length(), count -> {
                        int bytes = 0;
                        for (Document item :
                                partition.list(maps, ListQuery.ALL, User.ADMIN).items()) {
                            bytes += item.json().length;
                        }
                        ReportSection.check(bytes > LISTED * 1_000, "a whole list: " + bytes);
                    });
        }
    }

    private double listOverHttp(Engine filled) throws Exception {
        try (EvenkeelServer server = new EvenkeelServer(filled);
                HttpConnection wire = new HttpConnection(server.port())) {
            fill(filled, LISTED);
            return 1_000
                    / Load.perSecond(section.length(), count -> {
                        wire.call("GET", StoredObjects.COLLECTION, StoredObjects.NONE, 200);
                        ReportSection.check(wire.bodyBytes() > LISTED * 1_000L, "a whole list: " + wire.bodyBytes());
                    });
        }
    }

    /** Measures the time from the return of a commit to its event at a watch. */
    private void deliveries() throws Exception {
        long[] nanos = withDirectory(directory -> {
            try (Engine engine = this.store.open(directory)) {
                Store store = engine.store();
                Store.Key key = new Store.Key("default/configmaps", "default", "watched");
                byte[] value = StoredObjects.configMap(0);
                long[] times = new long[section.quick() ? 2_000 : 20_000];
                long revision = 0;
                for (int i = -500; i < times.length; i++) {
                    CompletableFuture<Long> delivered = new CompletableFuture<>();
                    try (Store.Watch watch = store.watch(
                            key.collection(), store.revision(), () -> delivered.complete(System.nanoTime()))) {
                        ReportSection.check(watch.poll(1).isEmpty(), "no event before the commit");
                        Store.Outcome outcome = store.commit(List.of(new Store.Change(key, revision, () -> value)));
                        long committed = System.nanoTime();
                        revision = ((Store.Committed) outcome).revision();
                        long at = delivered.join();
                        times[Math.max(0, i)] = Math.max(0, at - committed);
                        ReportSection.check(watch.poll(10).size() == 1, "one event after the commit");
                    }
                }
                return times;
            }
        });
        section.percentiles("commit to watcher, " + store.label(), nanos, new long[0], "");
    }
}
