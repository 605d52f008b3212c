package dev.evenkeel.controller.internal.queue;

import java.time.Duration;

/**
 * Figures of a queue, all of one moment.
 *
 * @param depth how many keys wait
 * @param inFlight how many are with workers
 * @param delayed how many are delayed
 * @param added how often a key has begun to wait, those added again while with a worker included
 * @param retried how often a key has been added with a delay
 * @param unfinished how long the keys that are with workers have been there, all together
 * @param longestRunning how long the one that has been with a worker longest; zero when there is none
 */
public record QueueStatistics(
        int depth, int inFlight, int delayed, long added, long retried, Duration unfinished, Duration longestRunning) {}
