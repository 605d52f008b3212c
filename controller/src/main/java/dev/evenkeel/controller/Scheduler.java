package dev.evenkeel.controller;

import java.time.Duration;

/** Runs tasks later: a thread of the process, or a test that moves time by hand. */
@FunctionalInterface
public interface Scheduler {
    /** Runs a short task that does not block, once, after at least this delay. */
    void schedule(Duration delay, Runnable task);
}
