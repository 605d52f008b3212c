package dev.evenkeel.controller;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Delays that double with each failure in a row, spread a little so that what failed together is not tried again
 * together.
 *
 * @param first delay after the first failure
 * @param max delays do not grow beyond it
 * @param jitter how much longer a delay may be by chance, as a part of it; 0 for none
 * @param random chance
 */
public record Backoff(Duration first, Duration max, double jitter, RandomGenerator random) {
    /** Refuses what makes no sense. */
    public Backoff {
        if (!first.isPositive() || max.compareTo(first) < 0 || jitter < 0) {
            throw new IllegalArgumentException(
                    "delays must grow from a positive first to max, with a jitter of 0 or more: " + first + ", " + max
                            + ", " + jitter);
        }
    }

    /** 5 ms to 1000 s, as the field has it, up to a tenth longer. */
    public static Backoff standard(RandomGenerator random) {
        return new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000), 0.1, random);
    }

    /**
     * How long to wait.
     *
     * @param failures how many there were before the present one
     */
    public Duration delay(int failures) {
        double nanos = first.toNanos() * Math.pow(2, failures) * (1 + jitter * random.nextDouble());
        return nanos >= max.toNanos() ? max : Duration.ofNanos((long) nanos);
    }
}
