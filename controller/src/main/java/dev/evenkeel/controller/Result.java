package dev.evenkeel.controller;

import java.time.Duration;

/** The result of a reconciliation. An {@link Outcome} can express more than when to requeue, such as failures. */
public sealed interface Result permits Result.Done, Result.After, Result.Retry, Outcome {
    /** No reconciliation until something changes. */
    record Done() implements Result {}

    /**
     * Another reconciliation after a delay, or when something changes.
     *
     * @param delay minimum delay
     */
    record After(Duration delay) implements Result {
        /** Refuses delays that are not positive. */
        public After {
            if (!delay.isPositive()) {
                throw new IllegalArgumentException("delay must be positive, and is " + delay + ": use retry()");
            }
        }
    }

    /** A retry, with the same growing delays as after failures. */
    record Retry() implements Result {}

    /** Returns a result that requests no reconciliation until something changes. */
    static Result done() {
        return new Done();
    }

    /** Returns a result that requests another reconciliation after a delay, or when something changes. */
    static Result after(Duration delay) {
        return new After(delay);
    }

    /** Returns a result that requests a retry, with the same growing delays as after failures. */
    static Result retry() {
        return new Retry();
    }
}
