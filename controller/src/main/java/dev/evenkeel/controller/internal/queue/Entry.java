package dev.evenkeel.controller.internal.queue;

import org.jspecify.annotations.Nullable;

/**
 * All that is kept of one key, in one object, so that an operation is one look-up. An entry is in the table of keys as
 * long as it waits, is with a worker, is delayed, or has failures.
 */
final class Entry<K> {
    final K key;
    final int hash;
    final Object flow;

    /** The next one in the same bucket of the table. */
    @Nullable
    Entry<K> chain;

    /** Neighbours in its line while it waits; among those with workers while it is with one. */
    @Nullable
    Entry<K> previous;

    @Nullable
    Entry<K> next;

    /** Where it waits. */
    @Nullable
    Line<K> line;

    /** What was handed out; null when it is not with a worker. */
    @Nullable
    Item<K> item;

    /** Until when it is delayed. */
    @Nullable
    Delay<K> delay;

    /** Why it waits, or will when the worker is done. */
    Causes causes = Causes.NONE;

    /** With what priority it waits, or will. */
    int priority;

    int failures;

    /** Added again while with a worker. */
    boolean again;

    /** When it was added. */
    long since;

    /** When it took its place in its line. */
    long placed;

    Entry(K key, int hash, Object flow) {
        this.key = key;
        this.hash = hash;
        this.flow = flow;
    }

    /** Whether nothing is to be remembered. */
    boolean idle() {
        return line == null && item == null && delay == null && failures == 0;
    }
}
