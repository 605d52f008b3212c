package dev.evenkeel.benchmarks;

import dev.evenkeel.benchmarks.Measurement.Unit;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/**
 * The server over HTTP, compared with fabric8's mock server.
 *
 * <p>Both listen on loopback without TLS and serve the same client, {@link HttpConnection}, in this JVM. They take turns within
 * each workload, each time with a new server.
 */
record ServerSuite(ReportSection section) {
    private static final int STORED = 1_000;
    private static final int LISTED = 6_000;
    private static final int WATCHES = 1_000;

    @FunctionalInterface
    private interface Workload {
        double measure(Callable<ServerUnderTest> server) throws Exception;
    }

    void run() throws Exception {
        warm(EvenkeelServer::new);
        warm(MockServer::new);
        measureStarts();
        for (int clients : new int[] {1, 16}) {
            String with = clients == 1 ? ", 1 client" : ", " + clients + " clients";
            rates("create" + with, 0, clients, (wire, client, count) -> {
                int number = client * 10_000_000 + count;
                wire.call("POST", StoredObjects.COLLECTION, StoredObjects.configMap(number), 201);
            });
            rates("get of " + STORED + with, STORED, clients, (wire, client, count) -> {
                wire.call("GET", StoredObjects.path((client * 31 + count) % STORED), StoredObjects.NONE, 200);
            });
            rates("update of " + STORED + with, STORED, clients, (wire, client, count) -> {
                int number = (count * clients + client) % (STORED / clients * clients);
                byte[] body = StoredObjects.configMap(StoredObjects.name(number), count, 1_024);
                wire.call("PUT", StoredObjects.path(number), body, 200);
            });
        }
        measure("list of " + LISTED + ", about 6 MB", Unit.MILLISECONDS, this::list);
        measure(WATCHES + " watches of updates of 0.5 KB", Unit.DELIVERIES_PER_SECOND, this::deliveries);
        for (int objects : new int[] {10_000, 100_000}) {
            measure("heap for each of " + objects + " stored", Unit.BYTES, server -> heap(server, objects));
        }
    }

    private void rates(String workload, int stored, int clients, Load.Request request) throws Exception {
        measure(workload, Unit.PER_SECOND, server -> rate(server, stored, clients, request));
    }

    private void measure(String workload, Unit unit, Workload measure) throws Exception {
        double ours = measure.measure(EvenkeelServer::new);
        section.both(workload, unit, ours, measure.measure(MockServer::new), MockServer.NAME);
    }

    /** Triggers the compilation that the first workloads would otherwise wait for. */
    private void warm(Callable<ServerUnderTest> server) throws Exception {
        double _ = rate(server, STORED, 4, (wire, client, count) -> {
            int number = client * STORED / 4 + count % (STORED / 4);
            byte[] body = StoredObjects.configMap(StoredObjects.name(number), count, 1_024);
            wire.call("PUT", StoredObjects.path(number), body, 200);
            wire.call("GET", StoredObjects.path(number), StoredObjects.NONE, 200);
            wire.call("DELETE", StoredObjects.path(number), StoredObjects.NONE, 200);
            wire.call("POST", StoredObjects.COLLECTION, body, 201);
        });
    }

    /** Alternates start by start here: a start takes milliseconds, and so do disturbances by other processes. */
    private void measureStarts() throws Exception {
        int starts = section.length().starts();
        double[] ours = new double[starts];
        double[] theirs = new double[starts];
        for (int i = -starts; i < starts; i++) {
            int at = Math.max(0, i); // the first half is warm-up, overwritten later
            ours[at] = start(EvenkeelServer::new);
            theirs[at] = start(MockServer::new);
        }
        String workload = "start in a warm JVM, to the first answer";
        section.both(workload, Unit.MILLISECONDS, median(ours), median(theirs), MockServer.NAME);
    }

    private static double start(Callable<ServerUnderTest> server) throws Exception {
        long begin = System.nanoTime();
        try (ServerUnderTest subject = server.call();
                HttpConnection wire = new HttpConnection(subject.port())) {
            wire.call("GET", StoredObjects.COLLECTION, StoredObjects.NONE, 200);
            return (System.nanoTime() - begin) / 1e6;
        }
    }

    private static double median(double[] numbers) {
        Arrays.sort(numbers);
        return numbers[numbers.length / 2];
    }

    private double rate(Callable<ServerUnderTest> server, int stored, int clients, Load.Request request)
            throws Exception {
        try (ServerUnderTest subject = server.call()) {
            if (stored > 0) {
                subject.fill(0, stored);
            }
            return Load.perSecond(subject.port(), clients, section.length(), request);
        }
    }

    private double list(Callable<ServerUnderTest> server) throws Exception {
        try (ServerUnderTest subject = server.call();
                HttpConnection wire = new HttpConnection(subject.port())) {
            subject.fill(0, LISTED);
            double perSecond = Load.perSecond(section.length(), count -> {
                wire.call("GET", StoredObjects.COLLECTION, StoredObjects.NONE, 200);
                if (wire.bodyBytes() < LISTED * 1_000L) {
                    throw new IllegalStateException("a list of " + wire.bodyBytes() + " bytes is not whole");
                }
            });
            return 1_000 / perSecond;
        }
    }

    /** Measures deliveries while one client updates objects as fast as all watches keep up, within a small lag. */
    private double deliveries(Callable<ServerUnderTest> server) throws Exception {
        try (ServerUnderTest subject = server.call();
                WatchSwarm swarm = new WatchSwarm(subject.port(), StoredObjects.COLLECTION, WATCHES);
                HttpConnection wire = new HttpConnection(subject.port())) {
            int objects = 10;
            for (int i = 0; i < objects; i++) {
                byte[] body = StoredObjects.configMap(StoredObjects.name(i), 0, 512);
                wire.call("POST", StoredObjects.COLLECTION, body, 201);
            }
            await(swarm, (long) objects * WATCHES);
            long written = objects;
            long begin = System.nanoTime() + section.length().warmup().toNanos();
            long from = -1;
            long began = 0;
            while (true) {
                long now = System.nanoTime();
                long delivered = swarm.messages();
                if (from < 0 && now > begin) {
                    from = delivered;
                    began = now;
                }
                if (from >= 0 && now - began > section.length().measured().toNanos()) {
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

    private static double heap(Callable<ServerUnderTest> server, int objects) throws Exception {
        try (ServerUnderTest subject = server.call()) {
            int before = 100;
            subject.fill(0, before);
            long empty = Heap.used();
            subject.fill(before, before + objects);
            return (Heap.used() - empty) / (double) objects;
        }
    }
}
