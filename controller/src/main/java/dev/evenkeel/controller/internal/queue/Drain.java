package dev.evenkeel.controller.internal.queue;

/** The treatment of keys whose delay is not over when a queue is drained. */
public enum Drain {
    /** Delayed keys are handed out now. */
    FLUSH,

    /** Delayed keys are returned by the drain. */
    RETURN
}
