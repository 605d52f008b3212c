package dev.evenkeel.junit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The clock of a cluster. It runs with the system's, and can be moved on: for leases that expire, tokens, and the ages of
 * objects. It does not move the timers of a controller.
 *
 * <p>Thread-safe.
 */
public final class TestClock implements InstantSource {
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

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
    }
}
