package dev.evenkeel.benchmarks;

import static dev.evenkeel.benchmarks.ReportSection.check;

import dev.evenkeel.benchmarks.ReconcileWorkload.Candidate;
import dev.evenkeel.benchmarks.ReconcileWorkload.Running;
import dev.evenkeel.benchmarks.ReconcileWorkload.Started;
import dev.evenkeel.benchmarks.ReconcileWorkload.Told;
import dev.evenkeel.controller.cache.Cache;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A controller in a process of its own that follows the changes of a {@link FixtureServer} and measures the latency of
 * each. Both processes share one clock: {@link System#nanoTime} of the same machine.
 */
final class FollowerProcess implements AutoCloseable {
    static final int READERS = 80;
    private static final int MOST = 100_000;

    private final FixtureServer server;
    private final JavaProcess process;

    /** Starts the process; returns when it has reconciled all objects. */
    FollowerProcess(FixtureServer server, int objects, Candidate candidate) throws IOException {
        this.server = server;
        process = new JavaProcess(
                "controller",
                FollowerProcess.class,
                List.of("-XX:+UseCompactObjectHeaders", "-XX:+UseZGC", "-Xms3g", "-Xmx3g", "-XX:+AlwaysPreTouch"),
                List.of(server.url.toString(), Integer.toString(objects), candidate.name()));
        String[] _ = process.answer("follows");
    }

    /**
     * Returns the nanoseconds from each change to its reconciliation, at a number of changes per second; all are of
     * different objects.
     *
     * @param how {@code alone}; {@code contended}, while readers each list a namespace, and then rest for a millisecond,
     *     as if they waited for an answer; or {@code listed}, while readers list all objects without a rest
     */
    long[] follow(String how, int perSecond, int seconds) throws IOException {
        int changes = perSecond * seconds;
        process.say(how + " " + changes);
        String[] _ = process.answer("waits");
        server.change(perSecond, changes);
        return Stream.of(process.answer("heard"))
                .skip(1)
                .mapToLong(Long::parseLong)
                .toArray();
    }

    @Override
    public void close() {
        process.close();
    }

    /** Runs the process: the arguments are the server, the number of its objects, and the candidate. */
    public static void main(String[] args) throws Exception {
        Candidate candidate = Candidate.valueOf(args[2]);
        try (Follower follower = new Follower(URI.create(args[0]), Integer.parseInt(args[1]), candidate)) {
            System.out.println("follows");
            JavaProcess.serve(words -> {
                follower.expect(Integer.parseInt(words[1]));
                System.out.println("waits");
                System.out.println(
                        switch (words[0]) {
                            case "contended" -> follower.contended();
                            case "listed" -> follower.listed();
                            default -> follower.heard();
                        });
            });
        }
    }

    private static final class Follower implements AutoCloseable {
        private final Started controller;
        private final long[] nanos = new long[MOST];
        private final AtomicInteger count = new AtomicInteger();
        private volatile CountDownLatch left;

        Follower(URI server, int objects, Candidate candidate) throws InterruptedException {
            left = new CountDownLatch(objects);
            long begun = System.nanoTime();
            Told told = stamp -> {
                long sent = Long.parseLong(stamp.get()); // 0 before it was ever changed
                if (sent > begun) {
                    nanos[count.getAndIncrement()] = System.nanoTime() - sent;
                }
                left.countDown();
                return false;
            };
            controller = candidate.start(server, 8, told);
            check(left.await(5, TimeUnit.MINUTES), "every object is reconciled");
        }

        void expect(int changes) {
            check(changes <= MOST, "the array has space for all changes");
            count.set(0);
            left = new CountDownLatch(changes);
        }

        String heard() throws InterruptedException {
            check(left.await(2, TimeUnit.MINUTES), "every change is reconciled, not only " + count);
            return Arrays.stream(nanos, 0, count.get())
                    .mapToObj(Long::toString)
                    .collect(Collectors.joining(" ", "heard ", ""));
        }

        String contended() throws InterruptedException {
            Cache<ConfigMap> cache = ((Running) controller).cache();
            int namespaces = Math.ceilDiv(cache.size(), Fixture.TOGETHER);
            return withReaders(Thread.ofVirtual(), number -> {
                int listed = cache.list(Fixture.namespace(100 * (number % namespaces)))
                        .size();
                check(listed == 100, "a namespace has a hundred objects");
                LockSupport.parkNanos(1_000_000);
            });
        }

        String listed() throws InterruptedException {
            Cache<ConfigMap> cache = ((Running) controller).cache();
            int objects = cache.size();
            return withReaders(
                    Thread.ofPlatform(), number -> check(cache.list().size() == objects, "a list has all objects"));
        }

        /** Returns what was heard while threads read, each with numbers of its own. */
        private String withReaders(Thread.Builder builder, IntConsumer read) throws InterruptedException {
            AtomicBoolean end = new AtomicBoolean();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                int first = i;
                threads.add(builder.start(() -> {
                    for (int number = first; !end.get(); number += READERS) {
                        read.accept(number);
                    }
                }));
            }
            try {
                return heard();
            } finally {
                end.set(true);
                for (Thread thread : threads) {
                    thread.join();
                }
            }
        }

        @Override
        public void close() {
            controller.close();
        }
    }
}
