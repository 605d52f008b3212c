package dev.evenkeel.load.internal.proxy;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other processes, threads and sockets do in their own time. */
public final class Await {
    private static final Duration LONGEST = Duration.ofSeconds(240);
    private static final long FIRST_NANOS = 2_000_000;

    /** What is waited for needs the processors, too. */
    private static final long LONGEST_NANOS = 50_000_000;

    private Await() {}

    /** Waits until a condition holds; fails with the description when it does not hold in time. */
    public static void until(String description, BooleanSupplier condition) {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        long interval = FIRST_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not in " + LONGEST.toSeconds() + " s: " + description);
            }
            LockSupport.parkNanos(interval);
            interval = Math.min(LONGEST_NANOS, interval + interval / 4);
        }
    }
}
