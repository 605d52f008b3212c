package dev.evenkeel.controller.internal;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;

/**
 * Interrupts reconciliations that take too long.
 *
 * <p>All have the same deadline, so they are due in the order in which they began: a queue of them and one timer, for
 * the first, are enough, and a reconciliation that ends in time costs no timer.
 */
final class Watchdog {
    final class Run {
        final ObjectKey key;
        private final Workers.Worker worker;
        private final long began;
        private boolean ended;

        /** Set when its deadline has passed. */
        volatile boolean expired;

        Run(ObjectKey key, Workers.Worker worker, long began) {
            this.key = key;
            this.worker = worker;
            this.began = began;
        }

        Duration taken() {
            return Duration.ofNanos(scheduler.nanoTime() - began);
        }

        /** Returns the time until the deadline; zero when it has passed. */
        Duration remaining() {
            Duration rest = deadline.minus(taken());
            return expired || rest.isNegative() ? Duration.ZERO : rest;
        }

        StackTraceElement[] stack() {
            return worker.stack();
        }

        /** Interrupts it, unless it has ended: an interrupt must not hit the next work of the thread. */
        synchronized void interrupt() {
            if (!ended) {
                worker.interrupt();
            }
        }

        private void expire() {
            expired = true;
            interrupt();
        }

        void end() {
            synchronized (this) {
                ended = true;
            }
            boolean unused = Thread.interrupted();
            remove(this);
        }
    }

    private final Scheduler scheduler;
    private final Duration deadline;
    private final ArrayDeque<Run> runs = new ArrayDeque<>();
    private boolean armed;

    Watchdog(Scheduler scheduler, Duration deadline) {
        this.scheduler = scheduler;
        this.deadline = deadline;
    }

    Run begin(ObjectKey key, Workers.Worker worker) {
        Run run = new Run(key, worker, scheduler.nanoTime());
        boolean arm;
        synchronized (this) {
            runs.add(run);
            arm = !armed;
            armed = true;
        }
        if (arm) {
            Scheduler.Timer unused = scheduler.schedule(deadline, this::look);
        }
        return run;
    }

    private synchronized void remove(Run run) {
        runs.remove(run);
    }

    private void look() {
        long now = scheduler.nanoTime();
        long limit = deadline.toNanos();
        List<Run> late;
        Optional<Run> next;
        synchronized (this) {
            late = runs.stream()
                    .filter(run -> now - run.began >= limit && !run.expired)
                    .toList();
            next = runs.stream().filter(run -> now - run.began < limit).findFirst();
            armed = next.isPresent();
        }
        late.forEach(Run::expire);
        next.ifPresent(run -> {
            Scheduler.Timer unused = scheduler.schedule(Duration.ofNanos(limit - (now - run.began)), this::look);
        });
    }

    /** Returns the running reconciliations, the oldest first. */
    synchronized List<Run> running() {
        return List.copyOf(runs);
    }
}
