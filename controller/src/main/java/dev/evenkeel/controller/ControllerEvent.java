package dev.evenkeel.controller;

import dev.evenkeel.client.ObjectKey;
import java.time.Duration;
import java.util.Optional;

/** An event in the life of a controller, to be counted, recorded or asserted; see {@link Listener}. */
public sealed interface ControllerEvent {
    /** Returns the name of the controller. */
    String controller();

    /** The controller's caches have all existing objects; it reconciles when it becomes active. */
    record Synced(String controller) implements ControllerEvent {}

    /** The controller became active: it holds its lease, if it needs one, and its initializer has succeeded. */
    record Active(String controller) implements ControllerEvent {}

    /** The controller is not active any more; none of its reconciliations runs. */
    record Inactive(String controller) implements ControllerEvent {}

    /**
     * The initializer failed, and will be called again.
     *
     * @param retryAfter delay before the next call
     */
    record InitializerFailed(String controller, Throwable failure, Duration retryAfter) implements ControllerEvent {}

    /** A reconciliation begins. */
    record Reconciling(String controller, ObjectKey key) implements ControllerEvent {}

    /**
     * A reconciliation has ended.
     *
     * @param failure exception; empty for none
     */
    record Reconciled(String controller, ObjectKey key, Outcome outcome, Duration taken, Optional<Throwable> failure)
            implements ControllerEvent {}

    /** The results of a reconciliation. */
    enum Outcome {
        /** It succeeded. */
        SUCCESS,
        /** It succeeded, and requested another one after a delay. */
        REQUEUE_AFTER,
        /** It requested a retry. */
        REQUEUE,
        /** It threw an exception, and is retried. */
        ERROR,
        /** It wrote an object that another client had changed meanwhile, and is retried. */
        CONFLICT,
        /** It threw an {@link Error}, and is retried. */
        PANIC,
        /** It exceeded its deadline, and is retried. */
        TIMEOUT,
        /** It failed, and is not retried. */
        TERMINAL,
        /** The lease was lost meanwhile: another process reconciles the key. */
        LEASE_LOST
    }

    /** Receives the events of controllers. */
    @FunctionalInterface
    interface Listener {
        /** Receives an event. Called by the task in which it occurred; must be quick. Exceptions are logged. */
        void on(ControllerEvent event);
    }
}
