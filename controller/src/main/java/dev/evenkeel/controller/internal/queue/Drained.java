package dev.evenkeel.controller.internal.queue;

import java.util.List;

/**
 * How a drain ended.
 *
 * @param returned with {@link Drain#RETURN}, what was still delayed, the soonest first; the first of several drainers gets
 *     it
 * @param waiting how many keys waited still; 0 unless the queue was shut down meanwhile
 * @param inFlight how many keys were with workers still; 0 unless the queue was shut down meanwhile
 * @param <K> class of the keys
 */
public record Drained<K>(List<Delayed<K>> returned, int waiting, int inFlight) {
    /** Copies. */
    public Drained {
        returned = List.copyOf(returned);
    }

    /** Whether nothing waited, and nothing was with a worker. */
    public boolean complete() {
        return waiting == 0 && inFlight == 0;
    }
}
