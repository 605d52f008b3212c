package dev.evenkeel.controller.internal;

import dev.evenkeel.client.Scheduler;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/**
 * One call of an initializer, which is interrupted at its deadline.
 *
 * <p>The result is available at the deadline at the latest. An initializer that ignores the interrupt returns later, or
 * never.
 */
final class InitializerCall {
    private final Scheduler scheduler;
    private final long began;
    private final Scheduler.Job job;

    /** Completes with the result of the initializer, or with a {@link TimeoutException} at the deadline. */
    final CompletableFuture<Void> result = new CompletableFuture<>();

    /** Set when the initializer was interrupted at the deadline. */
    volatile boolean expired;

    // anything that it throws is its result
    @SuppressWarnings("CatchThrowable")
    InitializerCall(Scheduler scheduler, String name, Duration deadline, Callable<?> body) {
        this.scheduler = scheduler;
        this.began = scheduler.nanoTime();
        Scheduler.Timer timer = scheduler.schedule(deadline, () -> {
            Scheduler.Job unused = scheduler.execute(name + " deadline", () -> expire(deadline));
        });
        this.job = scheduler.execute(name, () -> {
            try {
                body.call();
                timer.cancel();
                result.complete(null);
            } catch (Throwable e) {
                timer.cancel();
                result.completeExceptionally(e);
            }
        });
    }

    private void expire(Duration deadline) {
        if (!result.isDone()) {
            expired = true;
            job.interrupt();
            result.completeExceptionally(new TimeoutException("the initializer did not return within " + deadline));
        }
    }

    /** Completes when the initializer has returned, or has thrown. */
    CompletableFuture<Void> returned() {
        return job.ended();
    }

    Duration age() {
        return Duration.ofNanos(scheduler.nanoTime() - began);
    }
}
