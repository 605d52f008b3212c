package dev.evenkeel.controller.internal.queue;

/**
 * Receives durations. Counts are in {@link QueueStatistics}.
 *
 * <p>The methods are called in the threads that take and complete keys, without any lock, and must be quick.
 */
public interface QueueMetrics {
    /** Ignores all durations. */
    QueueMetrics NONE = new QueueMetrics() {
        @Override
        public void waited(long nanos) {}

        @Override
        public void worked(long nanos) {}
    };

    /** Called when a key was handed out, with the time it had waited. */
    void waited(long nanos);

    /** Called when a key was completed, with the time it was with a worker. */
    void worked(long nanos);
}
