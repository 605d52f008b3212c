package dev.evenkeel.benchmarks;

import dev.evenkeel.benchmarks.Measurement.Unit;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.concurrent.locks.LockSupport;

/**
 * The server over HTTP, compared with fabric8's mock server.
 *
 * <p>Both listen on loopback without TLS and serve the same client, {@link HttpConnection}, in this JVM. They take turns within
 * each workload, each time with a new server.
 */
final class ServerSuite implements Suite {
    private static final int STORED = 1_000;
    private static final int LISTED = 6_000;
    private static final int WATCHES = 1_000;

    private final ServerUnderTest.Kind ours;
    private final ServerUnderTest.Kind peer;

    ServerSuite(ServerUnderTest.Kind ours, ServerUnderTest.Kind peer) {
        this.ours = ours;
        this.peer = peer;
    }

    @Override
    public String name() {
        return "server";
    }

    /** Measures one workload on one server. */
    @FunctionalInterface
    private interface Workload {
        double measure(ServerUnderTest.Kind kind, RunLength length) throws Exception;
    }

    @Override
    public void run(RunLength length, Report report) throws Exception {
        report.begin(
                name(),
                "HTTP/1.1 on loopback without TLS, client in the same JVM, 1 KB ConfigMaps; peer: " + peer.name());
        warm(ours, length);
        warm(peer, length);
        measureStarts(length, report);
        for (int clients : new int[] {1, 16}) {
            String with = clients == 1 ? ", 1 client" : ", " + clients + " clients";
            measure(
                    "create" + with,
                    Unit.PER_SECOND,
                    length,
                    report,
                    (kind, each) -> rate(kind, each, 0, clients, (wire, client, count) -> {
                        int number = client * 10_000_000 + count;
                        wire.call("POST", StoredObjects.COLLECTION, StoredObjects.configMap(number), 201);
                    }));
            measure(
                    "get of " + STORED + with,
                    Unit.PER_SECOND,
                    length,
                    report,
                    (kind, each) -> rate(kind, each, STORED, clients, (wire, client, count) -> {
                        wire.call("GET", StoredObjects.path((client * 31 + count) % STORED), StoredObjects.NONE, 200);
                    }));
            measure(
                    "update of " + STORED + with,
                    Unit.PER_SECOND,
                    length,
                    report,
                    (kind, each) -> rate(kind, each, STORED, clients, (wire, client, count) -> {
                        int number = (count * clients + client) % (STORED / clients * clients);
                        byte[] body = StoredObjects.configMap(StoredObjects.name(number), count, 1_024);
                        wire.call("PUT", StoredObjects.path(number), body, 200);
                    }));
        }
        measure("list of " + LISTED + ", about 6 MB", Unit.MILLISECONDS, length, report, ServerSuite::list);
        measure(
                WATCHES + " watches of updates of 0.5 KB",
                Unit.DELIVERIES_PER_SECOND,
                length,
                report,
                ServerSuite::deliveries);
        for (int objects : new int[] {10_000, 100_000}) {
            measure(
                    "heap for each of " + objects + " stored",
                    Unit.BYTES,
                    length,
                    report,
                    (kind, each) -> heap(kind, objects));
        }
    }

    private void measure(String workload, Unit unit, RunLength length, Report report, Workload measure)
            throws Exception {
        double mine = measure.measure(ours, length);
        double theirs = measure.measure(peer, length);
        report.add(new Measurement(name(), workload, unit, mine, OptionalDouble.of(theirs), peer.name()));
    }

    /** Triggers the compilation that the first workloads would otherwise wait for. */
    private static void warm(ServerUnderTest.Kind kind, RunLength length) throws Exception {
        double _ = rate(kind, length, STORED, 4, (wire, client, count) -> {
            int number = client * STORED / 4 + count % (STORED / 4);
            byte[] body = StoredObjects.configMap(StoredObjects.name(number), count, 1_024);
            wire.call("PUT", StoredObjects.path(number), body, 200);
            wire.call("GET", StoredObjects.path(number), StoredObjects.NONE, 200);
            wire.call("DELETE", StoredObjects.path(number), StoredObjects.NONE, 200);
            wire.call("POST", StoredObjects.COLLECTION, body, 201);
        });
    }

    /** Alternates start by start here: a start takes milliseconds, and so do disturbances by other processes. */
    private void measureStarts(RunLength length, Report report) throws Exception {
        double[] mine = new double[length.starts()];
        double[] theirs = new double[length.starts()];
        for (int i = -length.starts(); i < length.starts(); i++) {
            double one = start(ours);
            double other = start(peer);
            if (i >= 0) {
                mine[i] = one;
                theirs[i] = other;
            }
        }
        report.add(new Measurement(
                name(),
                "start in a warm JVM, to the first answer",
                Unit.MILLISECONDS,
                median(mine),
                OptionalDouble.of(median(theirs)),
                peer.name()));
    }

    private static double start(ServerUnderTest.Kind kind) throws Exception {
        long begin = System.nanoTime();
        try (ServerUnderTest subject = kind.start();
                HttpConnection wire = new HttpConnection(subject.port())) {
            wire.call("GET", StoredObjects.COLLECTION, StoredObjects.NONE, 200);
            return (System.nanoTime() - begin) / 1e6;
        }
    }

    private static double median(double[] numbers) {
        Arrays.sort(numbers);
        return numbers[numbers.length / 2];
    }

    private static double rate(
            ServerUnderTest.Kind kind, RunLength length, int stored, int clients, Load.Request request)
            throws Exception {
        try (ServerUnderTest subject = kind.start()) {
            if (stored > 0) {
                subject.fill(0, stored);
            }
            return Load.perSecond(subject.port(), clients, length, request);
        }
    }

    private static double list(ServerUnderTest.Kind kind, RunLength length) throws Exception {
        try (ServerUnderTest subject = kind.start();
                HttpConnection wire = new HttpConnection(subject.port())) {
            subject.fill(0, LISTED);
            double perSecond = Load.perSecond(length, count -> {
                wire.call("GET", StoredObjects.COLLECTION, StoredObjects.NONE, 200);
                if (wire.bodyBytes() < LISTED * 1_000L) {
                    throw new IllegalStateException("a list of " + wire.bodyBytes() + " bytes is not whole");
                }
            });
            return 1_000 / perSecond;
        }
    }

    /** Measures deliveries while one client updates objects as fast as all watches keep up, within a small lag. */
    private static double deliveries(ServerUnderTest.Kind kind, RunLength length) throws Exception {
        try (ServerUnderTest subject = kind.start();
                WatchSwarm swarm = new WatchSwarm(subject.port(), StoredObjects.COLLECTION, WATCHES);
                HttpConnection wire = new HttpConnection(subject.port())) {
            int objects = 10;
            for (int i = 0; i < objects; i++) {
                wire.call(
                        "POST", StoredObjects.COLLECTION, StoredObjects.configMap(StoredObjects.name(i), 0, 512), 201);
            }
            await(swarm, (long) objects * WATCHES);
            long written = objects;
            long begin = System.nanoTime() + length.warmup().toNanos();
            long from = -1;
            long began = 0;
            while (true) {
                long now = System.nanoTime();
                long delivered = swarm.messages();
                if (from < 0 && now > begin) {
                    from = delivered;
                    began = now;
                }
                if (from >= 0 && now - began > length.measured().toNanos()) {
                    await(swarm, written * WATCHES);
                    return (delivered - from) / ((now - began) / 1e9);
                }
                if (written * WATCHES - delivered < 64L * WATCHES) {
                    int number = (int) (written % objects);
                    byte[] body = StoredObjects.configMap(StoredObjects.name(number), (int) written, 512);
                    wire.call("PUT", StoredObjects.path(number), body, 200);
                    written++;
                } else {
                    LockSupport.parkNanos(100_000);
                }
            }
        }
    }

    /** Waits until all watches have received everything; then no event may be missing or duplicated. */
    private static void await(WatchSwarm swarm, long messages) {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (swarm.messages() < messages) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "watches got " + swarm.messages() + " of " + messages + " events in a minute");
            }
            LockSupport.parkNanos(1_000_000);
        }
        if (swarm.messages() > messages) {
            throw new IllegalStateException("watches got " + swarm.messages() + " instead of " + messages + " events");
        }
    }

    private static double heap(ServerUnderTest.Kind kind, int objects) throws Exception {
        try (ServerUnderTest subject = kind.start()) {
            int before = 100;
            subject.fill(0, before);
            long empty = Heap.used();
            subject.fill(before, before + objects);
            return (Heap.used() - empty) / (double) objects;
        }
    }
}
