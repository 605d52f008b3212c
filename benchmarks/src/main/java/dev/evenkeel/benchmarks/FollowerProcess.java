package dev.evenkeel.benchmarks;

import static dev.evenkeel.benchmarks.ReportSection.check;

import dev.evenkeel.controller.cache.Cache;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A controller in a process of its own that follows the changes of a {@link FixtureServer} and measures the latency of
 * each. Both processes share one clock: {@link System#nanoTime} of the same machine.
 */
final class FollowerProcess implements AutoCloseable {
    static final int READERS = 80;
    private static final int MOST = 100_000;

    private final FixtureServer server;
    private final Process process;
    private final BufferedReader answers;

    /** The runtime of the controller. */
    enum Who {
        EVENKEEL,
        JOSDK
    }

    /** Starts the process; returns when it has reconciled all objects. */
    FollowerProcess(FixtureServer server, int objects, Who who) throws IOException {
        this.server = server;
        process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseCompactObjectHeaders",
                        "-XX:+UseZGC",
                        "-Xms3g",
                        "-Xmx3g",
                        "-XX:+AlwaysPreTouch",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FollowerProcess.class.getName(),
                        server.url().toString(),
                        Integer.toString(objects),
                        who.name()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        answers = process.inputReader(StandardCharsets.UTF_8);
        String _ = answer("follows");
    }

    /**
     * Returns the nanoseconds from each change to its reconciliation, at a number of changes per second; all are of
     * different objects.
     */
    long[] follow(int perSecond, int seconds) throws IOException {
        return follow("alone", perSecond, seconds);
    }

    /**
     * Measures like {@link #follow} while readers each list a namespace, and then rest for a millisecond, as if they
     * waited for an answer.
     */
    long[] followWithReaders(int perSecond, int seconds) throws IOException {
        return follow("contended", perSecond, seconds);
    }

    private long[] follow(String how, int perSecond, int seconds) throws IOException {
        int changes = perSecond * seconds;
        process.outputWriter(StandardCharsets.UTF_8)
                .append(how + " " + changes + "\n")
                .flush();
        String _ = answer("waits");
        server.change(perSecond, changes);
        return Stream.of(answer("heard").split(" ", -1))
                .skip(1)
                .mapToLong(Long::parseLong)
                .toArray();
    }

    private String answer(String word) throws IOException {
        String line = answers.readLine();
        while (line != null && !line.startsWith(word)) {
            line = answers.readLine();
        }
        if (line == null) {
            throw new IOException("the controller in another process ended before it printed \"" + word + "\"");
        }
        return line;
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }

    /**
     * Runs the process: the arguments are the server, the number of its objects, and the runtime; then it reads
     * commands, one per line, until the input ends.
     */
    public static void main(String[] args) throws Exception {
        try (Follower follower = new Follower(URI.create(args[0]), Integer.parseInt(args[1]), Who.valueOf(args[2]))) {
            System.out.println("follows");
            BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                String[] words = line.split(" ", -1);
                follower.expect(Integer.parseInt(words[1]));
                System.out.println("waits");
                System.out.println(words[0].equals("contended") ? follower.contended() : follower.heard());
            }
        }
    }

    private static final class Follower implements AutoCloseable {
        private final ReconcileWorkload.Started controller;
        private final long[] nanos = new long[MOST];
        private final AtomicInteger count = new AtomicInteger();
        private volatile CountDownLatch left;

        Follower(URI server, int objects, Who who) throws InterruptedException {
            left = new CountDownLatch(objects);
            long begun = System.nanoTime();
            ReconcileWorkload.Told told = stamp -> {
                long sent = Long.parseLong(stamp.get()); // 0 before it was ever changed
                if (sent > begun) {
                    nanos[count.getAndIncrement()] = System.nanoTime() - sent;
                }
                left.countDown();
                return false;
            };
            controller = who == Who.JOSDK
                    ? ReconcileWorkload.josdk(server, 8, told)
                    : ReconcileWorkload.evenkeel(server, 8, told);
            check(left.await(5, TimeUnit.MINUTES), "every object is reconciled");
        }

        void expect(int changes) {
            check(changes <= MOST, "the array has space for all changes");
            count.set(0);
            left = new CountDownLatch(changes);
        }

        String heard() throws InterruptedException {
            check(left.await(2, TimeUnit.MINUTES), "every change is reconciled, not only " + count);
            StringJoiner line = new StringJoiner(" ", "heard ", "");
            for (int i = 0; i < count.get(); i++) {
                line.add(Long.toString(nanos[i]));
            }
            return line.toString();
        }

        String contended() throws InterruptedException {
            Cache<ConfigMap> cache = ((ReconcileWorkload.Running) controller).cache();
            int namespaces = Fixture.namespaces(cache.size());
            AtomicBoolean end = new AtomicBoolean();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                int first = i;
                threads.add(Thread.ofVirtual().start(() -> {
                    for (int namespace = first; !end.get(); namespace += READERS) {
                        int listed = cache.list(Fixture.namespace(100 * (namespace % namespaces)))
                                .size();
                        check(listed == 100, "a namespace has a hundred objects");
                        LockSupport.parkNanos(1_000_000);
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
