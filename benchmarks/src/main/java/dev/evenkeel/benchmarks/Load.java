package dev.evenkeel.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.DoubleAdder;

/** Clients that send the next request when the last one was answered. */
final class Load {
    private Load() {}

    /** Sends one request of a client, given its number. */
    @FunctionalInterface
    interface Request {
        void send(HttpConnection wire, int client, int count) throws Exception;
    }

    /** Returns the answered requests per second of all clients together. */
    static double perSecond(int port, int clients, RunLength length, Request request) throws Exception {
        DoubleAdder sum = new DoubleAdder();
        concurrently(Thread.ofPlatform(), clients, client -> {
            try (HttpConnection wire = new HttpConnection(port)) {
                sum.add(perSecond(length, count -> request.send(wire, client, count)));
            }
        });
        return sum.sum();
    }

    /** Performs an action on several threads at once, given the number of the thread; fails if one of them fails. */
    static void concurrently(Thread.Builder builder, int threads, Action action) throws Exception {
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService executor = Executors.newThreadPerTaskExecutor(builder.factory())) {
            for (int i = 0; i < threads; i++) {
                int number = i;
                all.add(executor.submit(() -> {
                    action.run(number);
                    return null;
                }));
            }
        }
        for (Future<?> one : all) {
            Object _ = one.get();
        }
    }

    @FunctionalInterface
    interface Action {
        void run(int count) throws Exception;
    }

    /** Returns how often per second one thread performs an action. */
    static double perSecond(RunLength length, Action action) throws Exception {
        RunLength.Window window = length.window();
        long counted = 0;
        for (int i = 0; window.open(counted > 0); i++) {
            action.run(i);
            if (window.measures()) {
                counted++;
            }
        }
        return counted / window.seconds();
    }
}
