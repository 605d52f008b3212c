package dev.evenkeel.controller.internal.queue;

/** What becomes of keys whose delay is not over when a queue is drained. */
public enum Drain {
    /** They are handed out now. */
    FLUSH,

    /** They are given to the one who drains. */
    RETURN
}
