package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * Runs what the machinery wants run: in threads and in real time, or in a simulation, where one thread and a seed decide
 * what comes next.
 *
 * <p>The machinery is written as tasks that react and end. A task may call a {@link dev.evenkeel.client.Client} or a
 * user's code, and that may take as long as it takes; it must not wait for another task in any other way than
 * {@link #await}, and it must not hold a lock while it calls a client, a user's code or {@code await}: in a simulation
 * other tasks run meanwhile, in the same thread.
 */
public interface Scheduler {
    /** The time of day, for what is written into objects. */
    Clock clock();

    /** Nanoseconds that only grow, for measuring and for deadlines; where they begin means nothing. */
    long nanoTime();

    /** Chance: jitter, and whatever else should not be the same everywhere. */
    RandomGenerator random();

    /**
     * Runs a task soon, in a thread of its own. What the task throws is logged and goes no further.
     *
     * @param name for people, such as {@code controller websites}
     */
    Job execute(String name, Runnable task);

    /**
     * Runs a short task that neither blocks nor calls user code, once, after at least this delay; soon when the delay
     * is not positive.
     */
    Timer schedule(Duration delay, Runnable task);

    /** Gives the events of a watch to a reader, one after the other, until it ends; the reader may take its time. */
    <T extends HasMetadata> Job read(String name, Watch<T> watch, WatchReader<T> reader);

    /**
     * Waits for a future, but no longer than this.
     *
     * @return true when it is done
     * @throws InterruptedException when the thread is interrupted
     */
    boolean await(CompletableFuture<?> future, Duration atMost) throws InterruptedException;

    /** A scheduled task, which can be cancelled. */
    interface Timer {
        /** Cancels the task; has no effect when it has begun. */
        void cancel();
    }

    /** A running task. */
    interface Job {
        /** Interrupts the task, as {@link Thread#interrupt}; has no effect when it has ended. */
        void interrupt();

        /** Completes when it has ended. */
        CompletableFuture<Void> ended();

        /** Returns the stack of its thread; empty when it has ended, or when the stack is unknown. */
        StackTraceElement[] stack();
    }

    /** Receives the events of a watch. The methods are called by one task at a time, and one of the last two ends it. */
    interface WatchReader<T extends HasMetadata> {
        /** Something changed, or a bookmark. */
        void event(Watch.Event<T> event);

        /** The watch ended, as watches do after a while. */
        void ended();

        /** The watch failed. */
        void failed(RuntimeException failure);
    }
}
