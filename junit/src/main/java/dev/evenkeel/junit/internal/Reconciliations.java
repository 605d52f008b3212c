package dev.evenkeel.junit.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** Counts the reconciliations that have ended, so that a test can wait for the next end. Thread-safe. */
public final class Reconciliations {
    private long ended;

    /** Returns an executor that passes tasks on, and counts their ends. */
    public ExecutorService countedBy(ExecutorService executor) {
        return new Counted(this, executor);
    }

    /** Returns true if an executor is one that {@link #countedBy} returned. */
    public boolean areCountedBy(ExecutorService executor) {
        return executor instanceof Counted counted && counted.counts == this;
    }

    /** Returns the number of reconciliations that have ended. */
    public synchronized long ended() {
        return ended;
    }

    /** Waits until more have ended than a number that {@link #ended} returned, or for a time. */
    public synchronized void awaitEnd(long number, Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        try {
            while (ended == number) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the end of a reconciliation", e);
        }
    }

    private synchronized void end() {
        ended++;
        notifyAll();
    }

    private static final class Counted extends AbstractExecutorService {
        private final Reconciliations counts;
        private final ExecutorService executor;

        Counted(Reconciliations counts, ExecutorService executor) {
            this.counts = counts;
            this.executor = executor;
        }

        @Override
        public void execute(Runnable task) {
            executor.execute(() -> {
                try {
                    task.run();
                } finally {
                    counts.end();
                }
            });
        }

        @Override
        public void shutdown() {
            executor.shutdown();
        }

        @Override
        public List<Runnable> shutdownNow() {
            return executor.shutdownNow();
        }

        @Override
        public boolean isShutdown() {
            return executor.isShutdown();
        }

        @Override
        public boolean isTerminated() {
            return executor.isTerminated();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
            return executor.awaitTermination(timeout, unit);
        }
    }
}
