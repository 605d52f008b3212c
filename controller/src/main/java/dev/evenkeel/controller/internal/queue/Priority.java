package dev.evenkeel.controller.internal.queue;

/** Priorities that have a name; any other number will do as well. What is higher comes first. */
public final class Priority {
    /** What nobody waits for: the objects that are there at the start, and what is looked at again from time to time. */
    public static final int LOW = -100;

    /** What has just changed. */
    public static final int NORMAL = 0;

    /** What somebody waits for. */
    public static final int HIGH = 100;

    private Priority() {}
}
