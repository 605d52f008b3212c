package dev.evenkeel.controller.internal.queue;

/**
 * Hears how long things take. What can be counted is in {@link QueueStatistics}.
 *
 * <p>The methods are called by those who take keys and end them, outside of all locks, and must be quick.
 */
public interface QueueMetrics {
    /** Does not listen. */
    QueueMetrics NONE = new QueueMetrics() {
        @Override
        public void waited(long nanos) {}

        @Override
        public void worked(long nanos) {}
    };

    /** A key was handed out after it had waited so long. */
    void waited(long nanos);

    /** A key was with a worker for so long. */
    void worked(long nanos);
}
