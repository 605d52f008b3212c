package dev.evenkeel.load.internal.drive;

import dev.evenkeel.client.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The time of a run: that of a scheduler, which may be virtual.
 *
 * @param scheduler the scheduler
 */
public record Pace(Scheduler scheduler) {
    /** Returns the nanoseconds since some time. */
    public long nanos() {
        return scheduler.nanoTime();
    }

    /**
     * Waits until a time. In virtual time, whatever is due until then is done.
     *
     * @throws InterruptedException when interrupted while it waits
     */
    public void until(long nanos) throws InterruptedException {
        long left = nanos - nanos();
        if (left > 0) {
            boolean unused = scheduler.await(new CompletableFuture<>(), Duration.ofNanos(left));
        }
    }
}
