package dev.evenkeel.controller.internal.queue;

/** Named priorities; any other number is valid as well. A higher one comes first. */
public final class Priority {
    /** Work that can wait: the objects that exist at the start, and those that are reconciled periodically. */
    public static final int LOW = -100;

    /** Objects that have just changed. */
    public static final int NORMAL = 0;

    /** Work that a caller is waiting for. */
    public static final int HIGH = 100;

    private Priority() {}
}
