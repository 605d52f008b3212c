package dev.evenkeel.junit.internal;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.Predicate;

/** A timer whose tasks are run by a test. */
public final class VirtualTimer extends Timer {
    private record Scheduled(Instant due, TimerTask task) {}

    private final InstantSource clock;
    private final Predicate<TimerTask> wanted;
    private final List<Scheduled> tasks = new ArrayList<>();

    /**
     * @param wanted returns false for tasks that were cancelled, which their timer can't see
     */
    public VirtualTimer(InstantSource clock, Predicate<TimerTask> wanted) {
        super(true);
        // the thread of the superclass has nothing to do
        super.cancel();
        this.clock = clock;
        this.wanted = wanted;
    }

    @Override
    public synchronized void schedule(TimerTask task, long delay) {
        tasks.removeIf(scheduled -> !wanted.test(scheduled.task));
        tasks.add(new Scheduled(clock.instant().plusMillis(delay), task));
    }

    @Override
    public synchronized void cancel() {
        tasks.clear();
    }

    /** Returns when the first task is due. */
    public synchronized Optional<Instant> next() {
        return first().map(Scheduled::due);
    }

    /** Runs the first task. */
    public void runFirst() {
        Optional<Scheduled> first;
        synchronized (this) {
            first = first();
            first.ifPresent(tasks::remove);
        }
        first.ifPresent(scheduled -> scheduled.task.run());
    }

    private Optional<Scheduled> first() {
        tasks.removeIf(scheduled -> !wanted.test(scheduled.task));
        return tasks.stream().min(Comparator.comparing(Scheduled::due));
    }
}
