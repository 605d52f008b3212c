package dev.evenkeel.controller.internal.queue;

import java.util.List;

/**
 * The result of a drain.
 *
 * @param returned with {@link Drain#RETURN}, the delayed keys, the soonest first; returned by the first of several
 *     drains
 * @param waiting number of keys that still waited; 0 unless the queue was shut down meanwhile
 * @param inFlight number of keys that were still with workers; 0 unless the queue was shut down meanwhile
 * @param <K> class of the keys
 */
public record Drained<K>(List<Delayed<K>> returned, int waiting, int inFlight) {
    /** Copies the list. */
    public Drained {
        returned = List.copyOf(returned);
    }

    /** Returns whether nothing waited, and nothing was with a worker. */
    public boolean complete() {
        return waiting == 0 && inFlight == 0;
    }
}
