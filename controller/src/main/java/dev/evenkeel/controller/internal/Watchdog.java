package dev.evenkeel.controller.internal;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Interrupts reconciliations that take too long.
 *
 * <p>All have the same time, so they are due in the order in which they began: a line of them and one timer, for the
 * first, are enough, and a reconciliation that is over in time costs no timer.
 */
final class Watchdog {
    /** A reconciliation that runs. */
    final class Run {
        private final ObjectKey key;
        private final Workers.Worker worker;
        private final long began;
        private final Object end = new Object();
        private boolean ended;
        private volatile boolean expired;

        Run(ObjectKey key, Workers.Worker worker, long began) {
            this.key = key;
            this.worker = worker;
            this.began = began;
        }

        ObjectKey key() {
            return key;
        }

        /** Whether its time is over. */
        boolean expired() {
            return expired;
        }

        /** How long it has taken. */
        Duration taken() {
            return Duration.ofNanos(scheduler.nanoTime() - began);
        }

        /** How long it may still take; zero when its time is over. */
        Duration remaining() {
            Duration rest = deadline.minus(taken());
            return expired || rest.isNegative() ? Duration.ZERO : rest;
        }

        StackTraceElement[] stack() {
            return worker.stack();
        }

        /** Interrupts it, unless it has ended: an interrupt must not hit what the worker does next. */
        void interrupt() {
            synchronized (end) {
                if (!ended) {
                    worker.interrupt();
                }
            }
        }

        private void expire() {
            expired = true;
            interrupt();
        }

        /** It is over. */
        void end() {
            synchronized (end) {
                ended = true;
            }
            boolean unused = Thread.interrupted();
            remove(this);
        }
    }

    private final Scheduler scheduler;
    private final Duration deadline;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Run> runs = new ArrayDeque<>();
    private boolean armed;

    Watchdog(Scheduler scheduler, Duration deadline) {
        this.scheduler = scheduler;
        this.deadline = deadline;
    }

    /** A reconciliation begins. */
    Run begin(ObjectKey key, Workers.Worker worker) {
        Run run = new Run(key, worker, scheduler.nanoTime());
        boolean arm;
        lock.lock();
        try {
            runs.add(run);
            arm = !armed;
            armed = true;
        } finally {
            lock.unlock();
        }
        if (arm) {
            Scheduler.Timer unused = scheduler.schedule(deadline, this::look);
        }
        return run;
    }

    private void remove(Run run) {
        lock.lock();
        try {
            runs.remove(run);
        } finally {
            lock.unlock();
        }
    }

    private void look() {
        long now = scheduler.nanoTime();
        long limit = deadline.toNanos();
        List<Run> late;
        long next = -1;
        lock.lock();
        try {
            late = runs.stream()
                    .filter(run -> now - run.began >= limit && !run.expired)
                    .toList();
            for (Run run : runs) {
                if (now - run.began < limit) {
                    next = limit - (now - run.began);
                    break;
                }
            }
            armed = next >= 0;
        } finally {
            lock.unlock();
        }
        late.forEach(Run::expire);
        if (next >= 0) {
            Scheduler.Timer unused = scheduler.schedule(Duration.ofNanos(next), this::look);
        }
    }

    /** What runs, the oldest first. */
    List<Run> running() {
        lock.lock();
        try {
            return List.copyOf(runs);
        } finally {
            lock.unlock();
        }
    }
}
