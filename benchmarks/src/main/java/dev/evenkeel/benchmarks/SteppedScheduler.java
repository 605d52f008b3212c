package dev.evenkeel.benchmarks;

import dev.evenkeel.client.Watch;
import dev.evenkeel.controller.schedule.Scheduler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * Time that goes on when it is told to, and tasks that run when they are told to, on one thread: so that a queue or a cache
 * is measured without the threads around it.
 */
final class SteppedScheduler implements Scheduler {
    private record Due(long at, Runnable task) {}

    private final PriorityQueue<Due> timers = new PriorityQueue<>(Comparator.comparingLong(Due::at));
    private final RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final List<Reading<?>> readings = new ArrayList<>();
    private long now;

    /** A watch that is read when there is something in it. */
    private record Reading<T extends HasMetadata>(Watch<T> watch, WatchReader<T> reader) {
        boolean read() {
            if (!watch.ready()) {
                return false;
            }
            try {
                reader.event(watch.next().orElseThrow());
                return true;
            } catch (InterruptedException e) {
                throw new IllegalStateException("a watch that is ready waits for nothing", e);
            }
        }
    }

    /** A task, which nobody interrupts or waits for. */
    private enum Task implements Job {
        RUNS;

        @Override
        public void interrupt() {}

        @Override
        public CompletableFuture<Void> ended() {
            return new CompletableFuture<>();
        }

        @Override
        public StackTraceElement[] stack() {
            return new StackTraceElement[0];
        }
    }

    /** Runs all tasks and reads all watches, until nothing is left to do. */
    void settle() {
        boolean more = true;
        while (more) {
            more = false;
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
                more = true;
            }
            for (Reading<?> reading : readings) {
                more |= reading.read();
            }
        }
    }

    /** Lets time go by, and runs what is due then. */
    void advance(long nanos) {
        now += nanos;
        for (Due first = timers.peek(); first != null && first.at <= now; first = timers.peek()) {
            timers.remove().task.run();
        }
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public Clock clock() {
        return Clock.fixed(Instant.ofEpochSecond(0, now), ZoneOffset.UTC);
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        Due due = new Due(now + delay.toNanos(), task);
        timers.add(due);
        return () -> timers.remove(due);
    }

    @Override
    public Job execute(String name, Runnable task) {
        tasks.add(task);
        return Task.RUNS;
    }

    @Override
    public <T extends HasMetadata> Job read(String name, Watch<T> watch, WatchReader<T> reader) {
        readings.add(new Reading<>(watch, reader));
        return Task.RUNS;
    }

    @Override
    public boolean await(CompletableFuture<?> future, Duration atMost) {
        settle();
        return future.isDone();
    }
}
