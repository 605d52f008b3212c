package dev.evenkeel.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

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
        try (ExecutorService executor =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            List<Future<Double>> rates = new ArrayList<>();
            for (int client = 0; client < clients; client++) {
                int number = client;
                Callable<Double> task = () -> {
                    try (HttpConnection wire = new HttpConnection(port)) {
                        return perSecond(length, count -> request.send(wire, number, count));
                    }
                };
                rates.add(executor.submit(task));
            }
            double sum = 0;
            for (Future<Double> rate : rates) {
                sum += rate.get();
            }
            return sum;
        }
    }

    /** An operation that is repeated. */
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
