package dev.evenkeel.graph;

import java.util.List;

/**
 * The difference between what was sent of one part to one consumer and the current state. It costs as much as the keys
 * that differ, regardless of the number of changes.
 */
interface Pending<M> {
    boolean isEmpty();

    /** Adds the messages of the difference. */
    void collect(List<M> additions, List<M> removals);

    /** Notes that the messages were sent. */
    void sent();

    /** Ends the observation of the tables. */
    void close();
}
