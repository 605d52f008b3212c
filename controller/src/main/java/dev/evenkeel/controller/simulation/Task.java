package dev.evenkeel.controller.simulation;

import org.jspecify.annotations.Nullable;

/** Something to be run at a time, once. */
final class Task implements Comparable<Task> {
    /** How it may be run. */
    enum Sort {
        /** Like a thread: any that is due may be the next. */
        THREAD,
        /** On the one timer thread of its process: in order. */
        TIMER,
        /** Like a thread, but never while others wait for it on the stack. */
        ALONE
    }

    final Sort sort;
    final String name;
    final @Nullable Incarnation incarnation;
    final @Nullable SimulatedJob job;
    final Runnable body;
    final long due;
    /** When it may run: later than it is due when its process stands still. */
    long at;

    private final long number;
    private boolean cancelled;

    Task(
            Sort sort,
            String name,
            @Nullable Incarnation incarnation,
            @Nullable SimulatedJob job,
            long due,
            long number,
            Runnable body) {
        this.sort = sort;
        this.name = name;
        this.incarnation = incarnation;
        this.job = job;
        this.due = due;
        this.at = due;
        this.number = number;
        this.body = body;
    }

    void cancel() {
        cancelled = true;
    }

    /** Whether there is nothing to run any more. */
    boolean obsolete() {
        return cancelled || (incarnation != null && incarnation.dead());
    }

    /** Whether it comes before another timer. */
    boolean before(Task other) {
        return due != other.due ? due < other.due : number < other.number;
    }

    @Override
    public int compareTo(Task other) {
        int result = Long.compare(at, other.at);
        return result != 0 ? result : Long.compare(number, other.number);
    }
}
