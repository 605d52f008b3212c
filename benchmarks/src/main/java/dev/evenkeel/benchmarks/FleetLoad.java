package dev.evenkeel.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Clients that write at a constant rate, whether or not earlier writes were answered, so the processor time of a second is
 * that of the load, and the time of a write begins when it was due.
 *
 * @param servers the servers, which share the writes and the watches
 * @param etcd the process of etcd
 * @param objects the number of objects that are there, which are written in turn
 * @param writes the writes a second, of all servers
 * @param watches the watches, of all servers
 */
record FleetLoad(List<FleetServerProcess> servers, ProcessHandle etcd, int objects, double writes, int watches) {
    /** The clients of each server. */
    static final int CLIENTS = 4;

    private static final Duration SETTLING = Duration.ofSeconds(3);

    /**
     * Was seen in a window.
     *
     * @param servers the processor time of a second of all servers, in milliseconds
     * @param etcd the processor time of a second of etcd, in milliseconds
     * @param clients the processor time of a second of this process, in milliseconds
     * @param nanos the times of writes, sorted
     */
    record Observation(double servers, double etcd, double clients, long[] nanos) {
        /** Returns a percentile of the times of writes in milliseconds. */
        double percentile(int percent) {
            return ReportSection.at(nanos, percent) / 1e6;
        }
    }

    /** The processor times at a moment. */
    private record Reading(long nanos, long servers, long etcd, long clients) {
        Observation until(Reading end, long[] times) {
            double seconds = (end.nanos - nanos) / 1e9;
            return new Observation(
                    (end.servers - servers) / 1e6 / seconds,
                    (end.etcd - etcd) / 1e6 / seconds,
                    (end.clients - clients) / 1e6 / seconds,
                    times);
        }
    }

    private Reading read() {
        long all = servers.stream()
                .mapToLong(server -> processorTime(server.process()))
                .sum();
        return new Reading(System.nanoTime(), all, processorTime(etcd), processorTime(ProcessHandle.current()));
    }

    private static long processorTime(ProcessHandle process) {
        return process.info().totalCpuDuration().orElseThrow().toNanos();
    }

    /** Observes for so long, after the watches have got the present objects. */
    Observation run(Duration window) throws Exception {
        List<WatchSwarm> swarms = new ArrayList<>();
        try {
            for (FleetServerProcess server : servers) {
                swarms.add(new WatchSwarm(server.port(), StoredObjects.COLLECTION, watches / servers.size()));
            }
            long from = System.nanoTime() + SETTLING.toNanos();
            long end = from + window.toNanos();
            int clients = writes == 0 ? 0 : CLIENTS * servers.size();
            List<long[]> times = Collections.synchronizedList(new ArrayList<>());
            List<Reading> readings = new ArrayList<>();
            Load.concurrently(Thread.ofPlatform(), clients + 1, thread -> {
                if (thread < clients) {
                    times.add(write(thread, clients, from, end));
                } else {
                    sleepUntil(from);
                    readings.add(read());
                    sleepUntil(end);
                    readings.add(read());
                }
            });
            long[] all = times.stream().flatMapToLong(Arrays::stream).sorted().toArray();
            return readings.getFirst().until(readings.getLast(), all);
        } finally {
            for (WatchSwarm swarm : swarms) {
                swarm.close();
            }
        }
    }

    /** Writes as one of several clients; returns the times of writes that were due in the window. */
    private long[] write(int client, int clients, long from, long end) throws IOException, InterruptedException {
        LongStream.Builder times = LongStream.builder();
        long interval = (long) (1e9 * clients / writes);
        try (HttpConnection wire =
                new HttpConnection(servers.get(client % servers.size()).port())) {
            long due = System.nanoTime() + interval * client / clients;
            for (int count = 0; due < end; count++) {
                sleepUntil(due);
                update(wire, (count * clients + client) % objects, count);
                if (due >= from) {
                    times.add(System.nanoTime() - due);
                }
                due += interval;
            }
        }
        return times.build().toArray();
    }

    /** Changes an object. */
    static void update(HttpConnection wire, int number, int version) throws IOException {
        byte[] body = StoredObjects.configMap(StoredObjects.name(number), version, 1_024);
        wire.call("PUT", StoredObjects.path(number), body, 200);
    }

    private static void sleepUntil(long nanoTime) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanoTime - System.nanoTime());
    }
}
