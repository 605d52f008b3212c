package dev.evenkeel.controller.internal.queue;

import java.util.function.LongConsumer;

/**
 * Receivers of durations in nanoseconds. Counts are in {@link QueueStatistics}.
 *
 * <p>They are called in the threads that take and complete keys, without any lock, and must be quick.
 *
 * @param waited called when a key was handed out, with the time it had waited
 * @param worked called when a key was completed, with the time it was with a worker
 */
public record QueueMetrics(LongConsumer waited, LongConsumer worked) {
    static final QueueMetrics NONE = new QueueMetrics(nanos -> {}, nanos -> {});
}
