package dev.evenkeel.controller.internal.queue;

/** The end of a key's delay, and the priority and causes it will be added with. */
final class Delay<K> {
    final Entry<K> entry;
    long due;
    int priority;
    Causes causes;

    /** Set for the next attempt after a failure, which any other attempt makes needless. */
    boolean retry;

    /** The order among delays that are due at the same time. */
    long number;

    /** The position in the heap. */
    int index;

    Delay(Entry<K> entry, long due, int priority, Causes causes, boolean retry) {
        this.entry = entry;
        this.due = due;
        this.priority = priority;
        this.causes = causes;
        this.retry = retry;
    }
}
