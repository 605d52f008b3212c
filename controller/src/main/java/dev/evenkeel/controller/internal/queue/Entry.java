package dev.evenkeel.controller.internal.queue;

import org.jspecify.annotations.Nullable;

/**
 * The state of one key, in one object, so that an operation is one look-up. An entry is in the table of keys as long as
 * it waits, is with a worker, is delayed, or has failures.
 */
final class Entry<K> {
    final K key;
    final int hash;
    final Object flow;

    /** The next entry in the same bucket of the table. */
    @Nullable
    Entry<K> chain;

    /** Neighbours in its line while it waits; among the entries with workers while it is with one. */
    @Nullable
    Entry<K> previous;

    @Nullable
    Entry<K> next;

    @Nullable
    Line<K> line;

    /** The item that was handed out; null when it is not with a worker. */
    @Nullable
    Item<K> item;

    @Nullable
    Delay<K> delay;

    /** The causes for which it waits, or will when the worker is done. */
    Causes causes = Causes.NONE;

    /** The priority with which it waits, or will. */
    int priority;

    int failures;

    /** Set when it was added again while with a worker. */
    boolean again;

    /** The time at which it was added. */
    long since;

    /** The time at which it was added to its line. */
    long placed;

    Entry(K key, int hash, Object flow) {
        this.key = key;
        this.hash = hash;
        this.flow = flow;
    }

    /** Returns whether there is no state to keep. */
    boolean idle() {
        return line == null && item == null && delay == null && failures == 0;
    }
}
