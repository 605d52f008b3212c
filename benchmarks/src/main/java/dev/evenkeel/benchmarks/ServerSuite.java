package dev.evenkeel.benchmarks;

import dev.evenkeel.benchmarks.Measurement.Unit;
import java.util.Arrays;
import java.util.concurrent.Callable;

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

    private double deliveries(Callable<ServerUnderTest> server) throws Exception {
        try (ServerUnderTest subject = server.call();
                WatchSwarm swarm = new WatchSwarm(subject.port(), StoredObjects.COLLECTION, WATCHES);
                HttpConnection wire = new HttpConnection(subject.port())) {
            int objects = 10;
            return FanOut.perSecond(section.length(), WATCHES, swarm::messages, count -> {
                int number = count % objects;
                byte[] body = StoredObjects.configMap(StoredObjects.name(number), count, 512);
                if (count < objects) {
                    wire.call("POST", StoredObjects.COLLECTION, body, 201);
                } else {
                    wire.call("PUT", StoredObjects.path(number), body, 200);
                }
            });
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
