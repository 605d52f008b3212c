package dev.evenkeel.controller;

import dev.evenkeel.client.ObjectKey;
import java.time.Duration;
import java.util.Optional;

/** What happens to a controller, for those who count it, record it or assert it; see {@link Listener}. */
public sealed interface ControllerEvent {
    /** Name of the controller. */
    String controller();

    /** It has seen all objects that were there; it works when its place is its own. */
    record Synced(String controller) implements ControllerEvent {}

    /** It begins to work: its place is its own, and what was to be done first is done. */
    record Active(String controller) implements ControllerEvent {}

    /** It has stopped working; nothing of it runs any more. */
    record Inactive(String controller) implements ControllerEvent {}

    /**
     * What was to be done first failed, and is tried again.
     *
     * @param failure why
     * @param retryAfter when
     */
    record InitializerFailed(String controller, Throwable failure, Duration retryAfter) implements ControllerEvent {}

    /** A reconciliation begins. */
    record Reconciling(String controller, ObjectKey key) implements ControllerEvent {}

    /**
     * A reconciliation is over.
     *
     * @param outcome how it ended
     * @param taken how long it took
     * @param failure what it threw
     */
    record Reconciled(String controller, ObjectKey key, Outcome outcome, Duration taken, Optional<Throwable> failure)
            implements ControllerEvent {}

    /** How a reconciliation ended. */
    enum Outcome {
        /** Well. */
        SUCCESS,
        /** Well, and wants another one later. */
        REQUEUE_AFTER,
        /** It wants to be tried again. */
        REQUEUE,
        /** It threw something, and is tried again. */
        ERROR,
        /** It wrote what somebody else had written meanwhile, and is tried again. */
        CONFLICT,
        /** It threw an {@link Error}, and is tried again. */
        PANIC,
        /** It took too long, and is tried again. */
        TIMEOUT,
        /** Trying again is of no use. */
        TERMINAL,
        /** The place was lost meanwhile: another process does it. */
        PLACE_LOST
    }

    /** Hears what happens to controllers. */
    @FunctionalInterface
    interface Listener {
        /** Something happened. Called by the task in which it did; must be quick. What it throws is logged. */
        void on(ControllerEvent event);
    }
}
