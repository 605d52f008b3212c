package dev.evenkeel.benchmarks;

import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.store.sqlite.Durability;
import dev.evenkeel.store.sqlite.SqliteFile;
import dev.evenkeel.store.sqlite.SqliteOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.stream.Stream;

/**
 * Durable stores, in the directory for temporary files: it should be on a disk.
 *
 * <p>The peer of creates is SQLite itself: one thread inserts rows of the same size, as many in a transaction as there are
 * clients, with the same settings. Nothing that stores each object durably in SQLite can be faster.
 */
record StoreSuite(ReportSection section) {
    private static final String BY_HAND = "SQLite by hand";

    static void run(ReportSection section) throws Exception {
        StoreSuite suite = new StoreSuite(section);
        double _ = suite.inProcess(16, Durability.FLUSH) + suite.overHttp(16, Durability.FLUSH); // compiles
        for (Durability durability : Durability.values()) {
            for (int clients : new int[] {1, 16, 64}) {
                String with = ", " + durability.name().toLowerCase(java.util.Locale.ROOT) + ", " + clients
                        + (clients == 1 ? " client" : " clients");
                double limit = suite.byHand(clients, durability);
                section.both(
                        "creates in process" + with,
                        Unit.PER_SECOND,
                        suite.inProcess(clients, durability),
                        limit,
                        BY_HAND);
                section.both(
                        "creates over HTTP" + with,
                        Unit.PER_SECOND,
                        suite.overHttp(clients, durability),
                        limit,
                        BY_HAND);
            }
        }
        for (int objects : new int[] {1_000, 10_000, 100_000}) {
            suite.restart(objects);
        }
        suite.deliveries();
    }

    /** Does something with a new directory, which is deleted afterwards. */
    private static <T> T withDirectory(Measure<T> measure) throws Exception {
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
    private interface Measure<T> {
        T in(Path directory) throws Exception;
    }

    private static Engine engine(Path directory, Durability durability) {
        return Engine.builder()
                .store(SqliteOptions.in(directory).durability(durability))
                .build();
    }

    private double inProcess(int clients, Durability durability) throws Exception {
        return withDirectory(directory -> {
            try (Engine engine = engine(directory, durability)) {
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

    private double overHttp(int clients, Durability durability) throws Exception {
        return withDirectory(directory -> {
            try (EvenkeelServer server = new EvenkeelServer(engine(directory, durability))) {
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

    /** Returns the rows per second that one thread inserts. */
    private double byHand(int group, Durability durability) throws Exception {
        return withDirectory(directory -> {
            try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("rows.db"))) {
                try (Statement settings = connection.createStatement()) {
                    settings.execute("PRAGMA journal_mode = WAL");
                    settings.execute("PRAGMA synchronous = " + (durability == Durability.SYNC ? "FULL" : "NORMAL"));
                    settings.execute("CREATE TABLE row (id INTEGER PRIMARY KEY, name TEXT, value BLOB)");
                }
                connection.setAutoCommit(false);
                byte[] value = StoredObjects.configMap(0);
                try (PreparedStatement insert = connection.prepareStatement("INSERT INTO row VALUES (NULL, ?, ?)")) {
                    return group
                            * Load.perSecond(section.length(), count -> {
                                for (int i = 0; i < group; i++) {
                                    insert.setString(1, StoredObjects.name(i));
                                    insert.setBytes(2, value);
                                    insert.executeUpdate();
                                }
                                connection.commit();
                            });
                }
            }
        });
    }

    /** Measures how long an engine takes to open, until the first answer, and what objects take on disk. */
    private void restart(int objects) throws Exception {
        double[] figures = withDirectory(directory -> {
            try (Engine engine = engine(directory, Durability.FLUSH)) {
                ResourceApi partition = ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION));
                Target maps = maps(partition);
                int clients = 50;
                Load.concurrently(Thread.ofVirtual(), clients, client -> {
                    for (int i = client; i < objects; i += clients) {
                        partition.create(maps, Body.json(StoredObjects.configMap(i)), WriteOptions.DEFAULT);
                    }
                });
            }
            double bytes = SqliteFile.in(directory).stats().bytes() / (double) objects;
            double[] millis = new double[5];
            for (int i = 0; i < millis.length; i++) {
                long begin = System.nanoTime();
                try (Engine engine = engine(directory, Durability.SYNC)) {
                    ResourceApi partition = ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION));
                    partition.get(maps(partition).withName("default", StoredObjects.name(objects / 2)), "");
                    millis[i] = (System.nanoTime() - begin) / 1e6;
                }
            }
            Arrays.sort(millis);
            return new double[] {millis[millis.length / 2], bytes};
        });
        section.ours("restart to the first answer, " + objects + " objects", Unit.MILLISECONDS, figures[0]);
        section.ours("on disk for each of " + objects + " objects", Unit.BYTES, figures[1]);
    }

    /** Measures the time from the return of a commit to its event at a watch. */
    private void deliveries() throws Exception {
        long[] nanos = withDirectory(directory -> {
            try (Engine engine = engine(directory, Durability.SYNC)) {
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
                        Store.Outcome outcome =
                                store.commit(java.util.List.of(new Store.Change(key, revision, () -> value)));
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
        section.percentiles("commit to watcher, sync", nanos, new long[0], "");
    }
}
