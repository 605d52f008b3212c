package dev.evenkeel.simulation;

import dev.evenkeel.client.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A piece of work that runs once, at a virtual time, in a process or outside of all. */
final class Task implements Comparable<Task> {
    /** The rules by which a task may be chosen. */
    enum Sort {
        /** A thread: any due task may be the next. */
        THREAD,
        /** The single timer thread of its process: in order, and after the threads where tasks run in order. */
        TIMER,
        /** A thread that never runs on top of a waiting one. */
        ALONE
    }

    /** The handle of a thread for its scheduler's users. */
    static final class Job implements Scheduler.Job {
        private final CompletableFuture<Void> ended = new CompletableFuture<>();
        private Runnable onInterrupt = () -> {};
        private boolean interrupted;

        void onInterrupt(Runnable value) {
            onInterrupt = value;
        }

        @Override
        public void interrupt() {
            if (!ended.isDone()) {
                interrupted = true;
                onInterrupt.run();
            }
        }

        boolean interrupted() {
            return interrupted;
        }

        /** Returns and clears the interrupt. */
        boolean takeInterrupt() {
            boolean was = interrupted;
            interrupted = false;
            return was;
        }

        void end() {
            ended.complete(null);
        }

        @Override
        public CompletableFuture<Void> ended() {
            return ended.copy();
        }

        /** Returns nothing: all tasks share one stack. */
        @Override
        public StackTraceElement[] stack() {
            return new StackTraceElement[0];
        }
    }

    final Sort sort;
    final String name;
    final @Nullable VirtualScheduler process;
    final @Nullable Job job;
    final Runnable body;
    final long due;
    /** The reconciliations in progress in this task; see {@link Monitor}. */
    final List<Monitor.Running> entered = new ArrayList<>(0);
    /** The time at which it may run: later than due when its process is frozen. */
    long at;

    /** The position in the order in which tasks were added. */
    long number;

    private boolean cancelled;

    Task(Sort sort, String name, @Nullable VirtualScheduler process, @Nullable Job job, long due, Runnable body) {
        this.sort = sort;
        this.name = name;
        this.process = process;
        this.job = job;
        this.due = due;
        this.at = due;
        this.body = body;
    }

    void cancel() {
        cancelled = true;
    }

    /** Returns whether it was cancelled or its process has ended. */
    boolean obsolete() {
        return cancelled || (process != null && process.stopped());
    }

    /** Returns whether it precedes another timer. */
    boolean before(Task other) {
        return due != other.due ? due < other.due : number < other.number;
    }

    @Override
    public int compareTo(Task other) {
        int result = Long.compare(at, other.at);
        if (result == 0) {
            result = Boolean.compare(sort == Sort.TIMER, other.sort == Sort.TIMER);
        }
        return result != 0 ? result : Long.compare(number, other.number);
    }
}
