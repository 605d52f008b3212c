package dev.evenkeel.controller.cache;

import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Leaves a processor to the changes of caches, however many threads read many objects.
 *
 * <p><b>Problem.</b> A read of a hundred thousand objects takes milliseconds of processor time. Eighty threads that do so
 * all the time share the processors evenly with the one that keeps the cache up to date, which then gets an eightieth: the
 * cache lags behind by seconds, and so does everything that waits for its events.
 *
 * <p>Reads that visit {@value #MANY} objects or more take turns: at once, there is one less than there are processors,
 * and at least one. All together take as long as before, since they only need processors. What runs in a turn is code of this
 * package and does not wait. Shorter reads cost nothing.
 */
final class LongReads {
    /** The number of objects that are visited in about 20 microseconds, the time of some thread switches. */
    static final int MANY = 2_000;

    private static final Semaphore TURNS =
            new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() - 1));

    private LongReads() {}

    /** Reads so many objects, when it is its turn. */
    static <R> R read(int objects, Supplier<R> read) {
        if (objects < MANY) {
            return read.get();
        }
        TURNS.acquireUninterruptibly();
        try {
            return read.get();
        } finally {
            TURNS.release();
        }
    }
}
