package dev.evenkeel.junit.internal;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Runs the tasks of a cluster on virtual threads, and counts them. The answering of a request, the delivery of an event to
 * a watcher and the call of an informer's handler are tasks; each is submitted by the one that causes it before that one
 * ends, so the count is zero only when nothing is left to do.
 */
public final class Activity implements Executor {
    private int running;
    private long started;

    @Override
    public void execute(Runnable task) {
        begin();
        boolean submitted = false;
        try {
            Thread.ofVirtual().start(() -> {
                try {
                    task.run();
                } finally {
                    end();
                }
            });
            submitted = true;
        } finally {
            if (!submitted) {
                end();
            }
        }
    }

    /** Runs a task on the calling thread, and counts it. */
    void run(Runnable task) {
        begin();
        try {
            task.run();
        } finally {
            end();
        }
    }

    /** Counts work as begun. */
    public synchronized void begin() {
        running++;
        started++;
        notifyAll();
    }

    /** Counts work as ended. */
    public synchronized void end() {
        running--;
        if (running == 0) {
            notifyAll();
        }
    }

    /** Returns the number of tasks ever started. */
    public synchronized long started() {
        return started;
    }

    /** Returns true if no task has been started since {@link #started} returned a number, and none is running. */
    public synchronized boolean quietSince(long number) {
        return running == 0 && started == number;
    }

    /**
     * Waits until another task starts, or for a time.
     *
     * @param number a number that {@link #started} returned
     * @return true if a task has been started since
     */
    public synchronized boolean awaitStart(long number, Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (started == number) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            await(left);
        }
        return true;
    }

    private void await(long nanos) {
        try {
            TimeUnit.NANOSECONDS.timedWait(this, nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting until the cluster is quiet", e);
        }
    }

    /**
     * Waits until no task is running.
     *
     * @return the number of tasks ever started
     * @throws IllegalStateException when it takes too long
     */
    public synchronized long awaitQuiet(Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (running > 0) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new IllegalStateException("the cluster is not quiet after " + atMost + ": " + running
                        + " requests, deliveries or handlers are under way");
            }
            await(left);
        }
        return started;
    }
}
