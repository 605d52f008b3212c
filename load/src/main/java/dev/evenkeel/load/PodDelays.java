package dev.evenkeel.load;

import java.time.Duration;

/**
 * The times that the steps in the life of a pod take; each is varied by up to half of it, at random.
 *
 * @param schedule from the creation of a pod until it has a node
 * @param start from then until it runs, and has an address
 * @param ready from then until it is ready; with zero it is ready when it runs, in one write
 * @param stop from the request to delete it until it is gone; at most its grace period
 */
public record PodDelays(Duration schedule, Duration start, Duration ready, Duration stop) {
    /** 10 ms for each step. */
    public static final PodDelays DEFAULT =
            new PodDelays(Duration.ofMillis(10), Duration.ofMillis(10), Duration.ofMillis(10), Duration.ofMillis(10));

    public PodDelays {
        notNegative("schedule", schedule);
        notNegative("start", start);
        notNegative("ready", ready);
        notNegative("stop", stop);
    }

    private static void notNegative(String name, Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException(name + " must not be negative: " + delay);
        }
    }
}
