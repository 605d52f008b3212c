package dev.evenkeel.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Clients that send the next request when the last one is answered. */
final class Load {
    private Load() {}

    /** One request of a client, its how-manyth. */
    @FunctionalInterface
    interface Request {
        void send(Wire wire, int client, int count) throws Exception;
    }

    /** Answered requests per second, of all clients together. */
    static double perSecond(int port, int clients, Effort effort, Request request) throws Exception {
        long begin = System.nanoTime() + effort.warmup().toNanos();
        long end = begin + effort.measured().toNanos();
        try (ExecutorService executor =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            List<Future<Long>> counts = new ArrayList<>();
            for (int client = 0; client < clients; client++) {
                int number = client;
                Callable<Long> task = () -> {
                    try (Wire wire = new Wire(port)) {
                        return count(begin, end, count -> request.send(wire, number, count));
                    }
                };
                counts.add(executor.submit(task));
            }
            long sum = 0;
            for (Future<Long> count : counts) {
                sum += count.get();
            }
            return sum / seconds(effort.measured());
        }
    }

    /** Something that is done again and again. */
    @FunctionalInterface
    interface Action {
        void run(int count) throws Exception;
    }

    /** How often one thread can do something in a second. */
    static double perSecond(Effort effort, Action action) throws Exception {
        long begin = System.nanoTime() + effort.warmup().toNanos();
        long end = begin + effort.measured().toNanos();
        return count(begin, end, action) / seconds(effort.measured());
    }

    private static long count(long begin, long end, Action action) throws Exception {
        long counted = 0;
        for (int i = 0; ; i++) {
            action.run(i);
            long now = System.nanoTime();
            if (now > end) {
                return counted;
            }
            if (now > begin) {
                counted++;
            }
        }
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
