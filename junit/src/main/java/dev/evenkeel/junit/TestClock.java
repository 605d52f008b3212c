package dev.evenkeel.junit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The clock of a cluster. It runs with the system's, and can be moved on: for leases that expire, tokens, and the ages of
 * objects. It does not move the timers of a controller; see {@link JosdkOperator#advance}.
 *
 * <p>Thread-safe.
 */
public final class TestClock implements InstantSource {
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    TestClock() {}

    @Override
    public Instant instant() {
        return InstantSource.system().instant().plus(ahead.get());
    }

    /** Moves the clock on. */
    public void advance(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("time must not be negative: " + time);
        }
        ahead.accumulateAndGet(time, Duration::plus);
        synchronized (this) {
            notifyAll();
        }
        listeners.forEach(Runnable::run);
    }

    /** Calls a task after each move. */
    void onAdvance(Runnable task) {
        listeners.add(task);
    }

    /** Waits until it has been moved to a time. */
    synchronized void await(Instant time) {
        try {
            while (instant().isBefore(time)) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
