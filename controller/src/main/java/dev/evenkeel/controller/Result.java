package dev.evenkeel.controller;

import java.time.Duration;

/**
 * What is to happen after a reconciliation. Who has more to say than when to come back, returns an {@link Outcome}: it may
 * also say what went wrong.
 */
public sealed interface Result permits Result.Done, Result.After, Result.Retry, Outcome {
    /** Nothing, until something changes. */
    record Done() implements Result {}

    /**
     * Another reconciliation after a while, or when something changes.
     *
     * @param delay how long; not before that, and soon after
     */
    record After(Duration delay) implements Result {
        /** Refuses delays that are none. */
        public After {
            if (!delay.isPositive()) {
                throw new IllegalArgumentException("delay must be positive, and is " + delay + ": use retry()");
            }
        }
    }

    /** Another reconciliation, with the same growing delays as after failures. */
    record Retry() implements Result {}

    /** Nothing, until something changes. */
    static Result done() {
        return new Done();
    }

    /** Another reconciliation after a while, or when something changes. */
    static Result after(Duration delay) {
        return new After(delay);
    }

    /** Another reconciliation, with the same growing delays as after failures. */
    static Result retry() {
        return new Retry();
    }
}
