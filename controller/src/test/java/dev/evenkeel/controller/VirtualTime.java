package dev.evenkeel.controller;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Time that a test moves by hand; tasks run in the thread that moves it. */
final class VirtualTime extends Clock implements Scheduler {
    private record Task(Instant due, long number, Runnable task) {}

    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparing(Task::due).thenComparing(Task::number));
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private long scheduled;

    @Override
    public synchronized void schedule(Duration delay, Runnable task) {
        tasks.add(new Task(now.plus(delay), scheduled++, task));
        notifyAll();
    }

    /** Moves time on, task by task. */
    void advance(Duration duration) {
        Instant end = instant().plus(duration);
        for (Task task = next(end); task != null; task = next(end)) {
            task.task().run();
        }
    }

    private synchronized Task next(Instant end) {
        if (tasks.isEmpty() || tasks.peek().due().isAfter(end)) {
            now = end;
            return null;
        }
        Task task = tasks.remove();
        now = task.due();
        return task;
    }

    /** Waits until so many tasks are scheduled, and tells when the first is due. */
    synchronized Duration awaitTasks(int count) throws InterruptedException {
        while (tasks.size() < count) {
            wait();
        }
        return Duration.between(now, tasks.peek().due());
    }

    @Override
    public synchronized Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
