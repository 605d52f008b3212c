package dev.evenkeel.controller;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.internal.PollingSource;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Callable;

/**
 * Triggers a controller by events other than changes of objects: a message, a file, a clock.
 *
 * <p>It runs from the time the controller's caches are in sync until the controller stops.
 */
public interface Source {
    /** Returns the name for display. */
    String name();

    /**
     * Starts the source, and returns at once. An exception is logged, and it is called again after 10 seconds.
     *
     * @param sink receives keys, from any thread
     * @param scheduler runs tasks of the source
     * @return ends the source
     */
    AutoCloseable start(Sink sink, Scheduler scheduler);

    /**
     * Returns a source that polls, for systems without notifications, such as an external API.
     *
     * @param period time from the end of one poll to the begin of the next
     * @param look returns the keys of the primary objects to reconcile; an exception is logged, and polling continues
     */
    static Source polling(String name, Duration period, Callable<? extends Collection<ObjectKey>> look) {
        return new PollingSource(name, period, look);
    }

    /** Receives keys of primary objects. */
    @FunctionalInterface
    interface Sink {
        /**
         * Requests the reconciliation of an object.
         *
         * @param reason short readable reason: it is kept until the object is reconciled
         */
        void add(ObjectKey key, String reason);
    }
}
