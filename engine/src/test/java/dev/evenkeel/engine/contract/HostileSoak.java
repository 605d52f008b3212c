package dev.evenkeel.engine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Hostile clients, all at once for a time, next to a normal client of another user that creates and gets an object every
 * 20 ms: the 99th percentile of its times is printed, and is below 100 ms on a machine that does nothing else.
 */
public final class HostileSoak {
    /** The property that sets how long it lasts, such as {@code 10m}. */
    public static final String LENGTH = "hostile.soak";

    private static final int CLIENTS = 8;
    private static final Duration INTERVAL = Duration.ofMillis(20);
    private static final Duration LONGEST = Duration.ofMillis(100);

    private HostileSoak() {}

    /** The requests of a hostile client. */
    @FunctionalInterface
    public interface HostileClient {
        /**
         * Sends a random request.
         *
         * @return the problem of a response that is not a refusal
         * @throws Exception when the connection was closed
         * @throws AssertionError when nothing was answered in time
         */
        Optional<String> send(SplittableRandom random) throws Exception;
    }

    /** The requests of a normal client, each of which checks its result. */
    public interface NormalClient {
        /** Creates an object. */
        void create(String name) throws Exception;

        /** Gets it. */
        void get(String name) throws Exception;

        /** Deletes it. */
        void delete(String name) throws Exception;
    }

    /** Attacks a server for the time that the property sets. */
    public static void run(AttackedServer server, List<? extends HostileClient> hostile, NormalClient normal)
            throws Exception {
        Duration length = Duration.parse("PT" + System.getProperty(LENGTH).toUpperCase(Locale.ROOT));
        long end = System.nanoTime() + length.toNanos();
        List<String> failures = Collections.synchronizedList(new ArrayList<>());
        AtomicLong sent = new AtomicLong();
        List<Long> times = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            for (int i = 0; i < CLIENTS; i++) {
                HostileClient client = hostile.get(i % hostile.size());
                SplittableRandom random = new SplittableRandom(i);
                threads.execute(() -> {
                    while (System.nanoTime() < end) {
                        sent.incrementAndGet();
                        attack(client, random).ifPresent(failures::add);
                    }
                });
            }
            for (int i = 0; System.nanoTime() < end; i++) {
                String name = "soak-" + i;
                long start = System.nanoTime();
                normal.create(name);
                long created = System.nanoTime();
                normal.get(name);
                times.add(created - start);
                times.add(System.nanoTime() - created);
                normal.delete(name);
                LockSupport.parkNanos(INTERVAL.toNanos());
            }
        }
        assertThat(failures).isEmpty();
        server.assertHeap("the soak");
        times.sort(null);
        Duration p99 = percentile(times, 99);
        System.out.printf(
                "soak of %s: %d hostile requests, %d creates and gets: p50 %d us, p99 %d us, max %d us%n",
                length,
                sent.get(),
                times.size(),
                percentile(times, 50).toNanos() / 1000,
                p99.toNanos() / 1000,
                percentile(times, 100).toNanos() / 1000);
        assertThat(p99).isLessThan(LONGEST);
    }

    private static Optional<String> attack(HostileClient client, SplittableRandom random) {
        try {
            return client.send(random);
        } catch (AssertionError e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (Exception e) {
            return Optional.empty();
        }
    }

    private static Duration percentile(List<Long> sorted, int percent) {
        return Duration.ofNanos(sorted.get(Math.min(sorted.size() * percent / 100, sorted.size() - 1)));
    }
}
