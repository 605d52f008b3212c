package dev.evenkeel.controller.internal;

import dev.evenkeel.client.Scheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a controller: tasks that are started when there is work and end when there is none.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>There are never more than the limit.
 *   <li>While work waits and the workers are open, at least one of them is running or about to: a worker that finds
 *       nothing checks again after it has signed off.
 *   <li>After {@link #close} no worker takes a key, and the returned future completes when the last one has ended.
 * </ol>
 *
 * <p>Why not threads that wait for work: an idle controller then needs nothing, and in a simulation there is no thread
 * to wait. A worker that has done a number of steps yields to other tasks and is scheduled again.
 */
final class Workers {
    private static final int TURN = 32;

    /** One worker, which can be interrupted when a step takes too long. */
    final class Worker implements Runnable {
        private volatile Scheduler.@Nullable Job job;

        /** Interrupts it; has no effect before it has a thread. */
        void interrupt() {
            Scheduler.Job present = job;
            if (present != null) {
                present.interrupt();
            }
        }

        StackTraceElement[] stack() {
            Scheduler.Job present = job;
            return present == null ? new StackTraceElement[0] : present.stack();
        }

        private void come() {
            job = scheduler.execute(name, this);
        }

        @Override
        public void run() {
            boolean more = true;
            try {
                for (int i = 0; i < TURN && more && open; i++) {
                    more = step.test(this);
                }
            } finally {
                if (more && open) {
                    come();
                } else {
                    leave();
                }
            }
        }
    }

    private final String name;
    private final int limit;
    private final Scheduler scheduler;
    private final Predicate<Worker> step;
    private final BooleanSupplier waiting;

    private final AtomicInteger active = new AtomicInteger();
    private volatile boolean open;
    private volatile CompletableFuture<Void> left = CompletableFuture.completedFuture(null);

    /** Creates workers, not open yet; a step returns false when no key waited. */
    Workers(String name, int limit, Scheduler scheduler, Predicate<Worker> step, BooleanSupplier waiting) {
        this.name = name;
        this.limit = limit;
        this.scheduler = scheduler;
        this.step = step;
        this.waiting = waiting;
    }

    /** Starts the workers; not while earlier ones are still ending. */
    void open() {
        left = new CompletableFuture<>();
        open = true;
        for (int i = 0; i < limit; i++) {
            call();
        }
    }

    /** Starts a worker if there may be work for one more. */
    void call() {
        int present = active.get();
        while (open && present < limit) {
            if (active.compareAndSet(present, present + 1)) {
                new Worker().come();
                return;
            }
            present = active.get();
        }
    }

    private void leave() {
        int rest = active.decrementAndGet();
        if (!open) {
            if (rest == 0) {
                left.complete(null);
            }
        } else if (waiting.getAsBoolean()) {
            call();
        }
    }

    /** Takes no further keys; completes when the running steps are done. */
    CompletableFuture<Void> close() {
        open = false;
        if (active.get() == 0) {
            left.complete(null);
        }
        return left;
    }

    int active() {
        return active.get();
    }
}
