package dev.evenkeel.controller.internal.queue;

import java.time.Duration;

/**
 * Figures of a queue, all at the same time.
 *
 * @param depth number of keys that wait
 * @param inFlight number of keys with workers
 * @param added how often a key has begun to wait, including keys added again while with a worker
 * @param retried how often a key has been added with a delay
 * @param unfinished sum of the times that the keys in flight have been with workers
 * @param longestRunning longest of these times; zero when there is none
 */
public record QueueStatistics(
        int depth, int inFlight, int delayed, long added, long retried, Duration unfinished, Duration longestRunning) {}
