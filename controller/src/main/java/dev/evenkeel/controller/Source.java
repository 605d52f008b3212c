package dev.evenkeel.controller;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.internal.PollingSource;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Callable;

/**
 * Wakes a controller for other reasons than changes of objects: a message, a file, a tick of a clock.
 *
 * <p>It runs from the time the controller's caches are in sync until the controller stops.
 */
public interface Source {
    /** For people. */
    String name();

    /**
     * Begins, and returns at once. When it throws, that is logged, and it is asked again after 10 seconds.
     *
     * @param sink takes keys, from any thread
     * @param scheduler runs whatever the source wants run
     * @return ends it
     */
    AutoCloseable start(Sink sink, Scheduler scheduler);

    /**
     * Looks from time to time, for what tells nobody when it changes, such as an API outside.
     *
     * @param name for people
     * @param period from the end of one look to the begin of the next
     * @param look finds the keys of the primary objects that need it; what it throws is logged, and it looks again
     */
    static Source polling(String name, Duration period, Callable<? extends Collection<ObjectKey>> look) {
        return new PollingSource(name, period, look);
    }

    /** Takes keys of primary objects. */
    @FunctionalInterface
    interface Sink {
        /**
         * Has an object reconciled.
         *
         * @param key of the primary object
         * @param reason for people, short: it is kept until the object is reconciled
         */
        void add(ObjectKey key, String reason);
    }
}
