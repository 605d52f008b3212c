package dev.evenkeel.controller.internal.queue;

/** Until when a key is delayed, and what it will come with. */
final class Delay<K> {
    final Entry<K> entry;
    long due;
    int priority;
    Causes causes;

    /** Whether it is the next try after a failure, which any other try makes needless. */
    boolean retry;

    /** Which of those that are due at one moment comes first. */
    long number;

    /** Where it is in the heap. */
    int index;

    Delay(Entry<K> entry, long due, int priority, Causes causes, boolean retry) {
        this.entry = entry;
        this.due = due;
        this.priority = priority;
        this.causes = causes;
        this.retry = retry;
    }
}
