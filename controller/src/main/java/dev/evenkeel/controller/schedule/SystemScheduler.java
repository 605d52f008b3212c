package dev.evenkeel.controller.schedule;

import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.Watch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scheduler in real time: a virtual thread for each task, and one thread for all timers.
 *
 * <p>Closing it cancels the timers; running tasks are completed.
 */
public final class SystemScheduler implements Scheduler, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);

    private final ScheduledThreadPoolExecutor timers;

    /** Creates a scheduler with a timer thread of its own. */
    public SystemScheduler() {
        timers = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("evenkeel timers").factory());
        timers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        timers.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Clock clock() {
        return Clock.systemUTC();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    /** Returns the random source of the calling thread. */
    @Override
    public RandomGenerator random() {
        return ThreadLocalRandom.current();
    }

    @Override
    public Job execute(String name, Runnable task) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread thread = Thread.ofVirtual().name(name).start(() -> {
            try {
                contained(name, task);
            } finally {
                ended.complete(null);
            }
        });
        return new ThreadJob(thread, ended);
    }

    private record ThreadJob(Thread thread, CompletableFuture<Void> done) implements Job {
        @Override
        public void interrupt() {
            thread.interrupt();
        }

        @Override
        public CompletableFuture<Void> ended() {
            return done.copy();
        }

        @Override
        public StackTraceElement[] stack() {
            return thread.getStackTrace();
        }
    }

    // a timer or a task that fails must not affect the others
    @SuppressWarnings("CatchThrowable")
    private static void contained(String name, Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            LOG.atError().addKeyValue("task", name).setCause(e).log("a task failed");
        }
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        try {
            Future<?> timer =
                    timers.schedule(() -> contained("timer", task), Math.max(0, nanos(delay)), TimeUnit.NANOSECONDS);
            return () -> {
                boolean unused = timer.cancel(false);
            };
        } catch (RejectedExecutionException e) {
            // closed: the task will not run
            return () -> {};
        }
    }

    // anything that a watch throws: a reader that is not notified of the end waits indefinitely
    @Override
    @SuppressWarnings("CatchThrowable")
    public <T extends HasMetadata> Job read(String name, Watch<T> watch, WatchReader<T> reader) {
        return execute(name, () -> {
            while (true) {
                Optional<Watch.Event<T>> event;
                try {
                    event = watch.next();
                } catch (InterruptedException e) {
                    reader.ended();
                    return;
                } catch (Throwable e) {
                    reader.failed(
                            e instanceof RuntimeException failure
                                    ? failure
                                    : new IllegalStateException("a watch could not be read: " + e, e));
                    return;
                }
                if (event.isEmpty()) {
                    reader.ended();
                    return;
                }
                reader.event(event.get());
            }
        });
    }

    @Override
    public boolean await(CompletableFuture<?> future, Duration atMost) throws InterruptedException {
        try {
            Object unused = future.get(Math.max(0, nanos(atMost)), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException e) {
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private static long nanos(Duration duration) {
        return TimeUnit.NANOSECONDS.convert(duration);
    }

    @Override
    public void close() {
        timers.shutdownNow();
    }
}
