package dev.evenkeel.simulation;

import dev.evenkeel.simulation.internal.ProcessCrashed;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The queue of all tasks of all processes, and the virtual time in which they run, on the thread that moves it.
 *
 * <p>Tasks have a time at which they are due. One step takes a due task and runs it: the first of them, or any with the same
 * probability if there is a random. When none is due, time moves to the next one, so waiting costs nothing. While a task
 * waits, other tasks run <em>on top of it, on the same stack</em>; then it continues. Invariants:
 *
 * <ol>
 *   <li>The order depends on the seed alone: nothing here reads real time or identity hash codes.
 *   <li>Time never moves back, and no task runs before it is due.
 *   <li>Timers of a process run in the order in which they are due, as on its one timer thread.
 *   <li>No task of a process that has ended runs. Of a frozen process none runs or continues before it thaws.
 * </ol>
 *
 * <p>A waiting task continues only after those on top of it have ended, and so may be late, like a thread that gets no
 * processor; a wait that ends before one that began after it cannot be shown. Threads with a baton would show each
 * interleaving, but a hand-over costs a hundred times as much as a step, and seeds per second find faults.
 */
final class VirtualTime {
    /** Callbacks around tasks, for the owner of the time. */
    interface Hooks {
        /** Called before a task is chosen: the place to add tasks for external events. */
        default void poll() {}

        /** Called before a task runs. */
        default void begins(Task task) {}

        /** Called after a task has ended. */
        default void ended() {}

        /** Called with an exception that a task of a live process has thrown. */
        void failed(Task task, Throwable failure);
    }

    private static final int WAITS_DEEP = 48;

    private final VirtualClock clock;
    private final @Nullable SplittableRandom random;
    private final Hooks hooks;
    private final long stepLimit;
    private final PriorityQueue<Task> queue = new PriorityQueue<>();
    private final List<Task> ready = new ArrayList<>();
    private @Nullable Task current;
    private long numbered;
    private long steps;
    private int depth;

    /**
     * Creates an empty queue.
     *
     * @param random chooses among due tasks; null for the order in which they are due and were added
     * @param stepLimit number of tasks after which no waiting task is served
     */
    VirtualTime(VirtualClock clock, @Nullable SplittableRandom random, Hooks hooks, long stepLimit) {
        this.clock = clock;
        this.random = random;
        this.hooks = hooks;
        this.stepLimit = stepLimit;
    }

    VirtualClock clock() {
        return clock;
    }

    /** Returns the nanoseconds since the start. */
    long now() {
        return clock.nanos();
    }

    /** Returns a random delay of up to this for inexact real threads; zero where tasks run in order. */
    long jitter(long nanos) {
        return random == null ? 0 : random.nextLong(nanos + 1);
    }

    /** Returns the task on top of the stack; null outside of all. */
    @Nullable
    Task current() {
        return current;
    }

    /** Returns the number of tasks on the stack. */
    int depth() {
        return depth;
    }

    long steps() {
        return steps;
    }

    boolean exhausted() {
        return steps > stepLimit;
    }

    Task add(Task task) {
        task.number = numbered++;
        queue.add(task);
        return task;
    }

    /** Returns the next task, and moves time to it; null if none is due up to the limit. */
    @Nullable
    Task next(long limit, boolean nested) {
        while (true) {
            hooks.poll();
            Task chosen = random == null ? first() : any(random, nested);
            if (chosen != null) {
                return chosen;
            }
            long due = nextDue();
            if (due > limit || due == Long.MAX_VALUE) {
                return null;
            }
            clock.advanceTo(due);
        }
    }

    /** Returns the time of the next task; {@link Long#MAX_VALUE} if there is none. */
    long nextDue() {
        for (Task head = queue.peek(); head != null; head = queue.peek()) {
            if (!head.obsolete()) {
                return head.at;
            }
            queue.remove();
        }
        return Long.MAX_VALUE;
    }

    /** Returns the number of timers of a process that are set. */
    int timers(VirtualScheduler process) {
        return (int) queue.stream()
                .filter(task -> task.process == process && task.sort == Task.Sort.TIMER && !task.obsolete())
                .count();
    }

    private @Nullable Task first() {
        for (Task head = queue.peek(); head != null && head.at <= now(); head = queue.peek()) {
            queue.remove();
            if (mayRun(head)) {
                return head;
            }
        }
        return null;
    }

    /** Returns true if a due task may run; a task of a frozen process returns to the queue. */
    private boolean mayRun(Task task) {
        if (task.obsolete()) {
            return false;
        }
        if (task.process != null && task.process.frozenUntil() > now()) {
            task.at = task.process.frozenUntil();
            queue.add(task);
            return false;
        }
        return true;
    }

    private @Nullable Task any(SplittableRandom chooser, boolean nested) {
        for (Task head = queue.peek(); head != null && head.at <= now(); head = queue.peek()) {
            ready.add(queue.remove());
        }
        ready.removeIf(task -> !mayRun(task));
        int count = ready.size();
        if (count == 0) {
            return null;
        }
        int index = count == 1 ? 0 : chooser.nextInt(count);
        for (int tried = 0; nested && ready.get(index).sort == Task.Sort.ALONE; tried++) {
            if (tried == count) {
                return null;
            }
            index = (index + 1) % count;
        }
        if (ready.get(index).sort == Task.Sort.TIMER) {
            index = firstTimer(index);
        }
        Task chosen = ready.get(index);
        ready.set(index, ready.getLast());
        ready.removeLast();
        return chosen;
    }

    private int firstTimer(int index) {
        int first = index;
        for (int i = 0; i < ready.size(); i++) {
            Task task = ready.get(i);
            if (task.sort == Task.Sort.TIMER
                    && task.process == ready.get(index).process
                    && task.before(ready.get(first))) {
                first = i;
            }
        }
        return first;
    }

    /** Runs a task on top of the stack. */
    @SuppressWarnings("CatchThrowable") // handled by the owner
    void run(Task task) {
        steps++;
        hooks.begins(task);
        Task below = current;
        boolean interrupted = Thread.interrupted();
        current = task;
        depth++;
        try {
            if (task.job != null && task.job.takeInterrupt()) {
                Thread.currentThread().interrupt();
            }
            task.body.run();
        } catch (ProcessCrashed e) {
            // the process is dead, and so is the task
        } catch (Throwable e) {
            if (task.process == null || !task.process.dead()) {
                hooks.failed(task, e);
            }
        } finally {
            depth--;
            current = below;
            // in order, a timer interrupts the task it runs on top of
            boolean left = Thread.interrupted() && random == null && task.sort == Task.Sort.TIMER;
            if (interrupted || left) {
                Thread.currentThread().interrupt();
            }
        }
        hooks.ended();
    }

    /** Runs all tasks due until then, and moves time to it. */
    void runUntil(long end) {
        for (Task task = next(end, depth > 0); task != null; task = next(end, depth > 0)) {
            run(task);
        }
        clock.advanceTo(end);
    }

    /** Lets time pass in a task of a process while other tasks run on top of it. */
    void pass(VirtualScheduler process, long until) {
        Task own = current;
        boolean interrupted = Thread.interrupted();
        while (!process.dead()) {
            Task task = next(until, true);
            if (task == null) {
                clock.advanceTo(until);
                break;
            }
            run(task);
        }
        if ((own != null && own.job != null && own.job.takeInterrupt()) || interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Blocks a task while its process is frozen. */
    void thawed(VirtualScheduler process) {
        while (!process.dead() && process.frozenUntil() > now()) {
            pass(process, process.frozenUntil());
        }
    }

    /**
     * Waits in a task of a process until a condition holds, but no longer than until the deadline.
     *
     * @return true if it holds
     */
    boolean await(VirtualScheduler process, BooleanSupplier condition, long deadline) throws InterruptedException {
        Task own = current;
        while (true) {
            thawed(process);
            process.requireAlive();
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (condition.getAsBoolean()) {
                return true;
            }
            if (now() > deadline) {
                return false;
            }
            Task task = depth < WAITS_DEEP && !exhausted() ? next(deadline, depth > 0) : null;
            if (task != null) {
                run(task);
            } else if (deadline == Long.MAX_VALUE) {
                throw new IllegalStateException("waits for something that no task can bring about");
            } else {
                clock.advanceTo(deadline);
                thawed(process);
                process.requireAlive();
                return condition.getAsBoolean();
            }
            if (own != null && own.job != null && own.job.takeInterrupt()) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
