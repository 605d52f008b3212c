package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * Runs the tasks of controllers, informers and clients: in threads and in real time, or in a simulation, on one thread and
 * in an order that a seed decides.
 *
 * <p>A task may call a {@link dev.evenkeel.client.Client} or code of the user, which may take any time. It must not wait
 * for another task in any other way than by {@link #await}, and it must not hold a lock while it calls a client, code of
 * the user or {@code await}, because in a simulation other tasks run on the same thread during that call.
 */
public interface Scheduler {
    /** The time of day, for what is written into objects. */
    Clock clock();

    /** Nanoseconds since an arbitrary time, which never decrease: for measurements and deadlines. */
    long nanoTime();

    /** Random numbers, for jitter and for other values that should differ between processes. */
    RandomGenerator random();

    /**
     * Runs a task soon, in a thread of its own. An exception of the task is logged, and not thrown to the caller.
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
