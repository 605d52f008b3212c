package dev.evenkeel.client;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Delays between attempts: growing by a factor up to a maximum, each lengthened by random jitter.
 *
 * <p>Delays at the maximum are lengthened too, since that is where most callers wait together.
 *
 * @param base delay after the first failure
 * @param factor growth from one delay to the next; 1 for constant delays
 * @param max longest delay, without jitter
 * @param jitter largest part by which a delay is lengthened: 0.1 for up to a tenth, 0 for none
 */
public record Backoff(Duration base, double factor, Duration max, double jitter) {
    /** 73 years. Longer delays are cut to this, so that they can be added without overflow. */
    private static final double LONGEST = Long.MAX_VALUE / 4.0;

    /** Checks the values. */
    public Backoff {
        if (!base.isPositive()) {
            throw new IllegalArgumentException("base must be positive: " + base);
        }
        if (!(factor >= 1) || Double.isInfinite(factor)) {
            throw new IllegalArgumentException("factor must be at least 1: " + factor);
        }
        if (max.compareTo(base) < 0) {
            throw new IllegalArgumentException("max must be at least base (" + base + "): " + max);
        }
        if (!(jitter >= 0) || Double.isInfinite(jitter)) {
            throw new IllegalArgumentException("jitter must be 0 or more: " + jitter);
        }
    }

    /** Returns delays that double from a base to a maximum, without jitter. */
    public static Backoff exponential(Duration base, Duration max) {
        return new Backoff(base, 2, max, 0);
    }

    /** Returns delays that are all the same, without jitter. */
    public static Backoff constant(Duration delay) {
        return new Backoff(delay, 1, delay, 0);
    }

    /** Returns a copy with the given jitter. */
    public Backoff jitter(double value) {
        return new Backoff(base, factor, max, value);
    }

    /**
     * Returns the delay before the next attempt.
     *
     * @param attempt number of failures before the last one: 0 after the first failure
     * @param random source of the jitter; not used without jitter
     */
    public Duration delay(int attempt, RandomGenerator random) {
        double nanos = Math.min(nanos(base) * Math.pow(factor, attempt), nanos(max));
        double jittered = jitter == 0 ? nanos : nanos * (1 + jitter * random.nextDouble());
        return Duration.ofNanos((long) Math.min(jittered, LONGEST));
    }

    private static double nanos(Duration duration) {
        return (double) TimeUnit.NANOSECONDS.convert(duration);
    }
}
