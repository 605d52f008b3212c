package dev.evenkeel.benchmarks;

import dev.evenkeel.client.Watch;
import dev.evenkeel.controller.schedule.Scheduler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** Time that goes on when it is told to, on one thread: enough for a queue, and for nothing else. */
final class SteppedScheduler implements Scheduler {
    private record Due(long at, Runnable task) {}

    private final PriorityQueue<Due> timers = new PriorityQueue<>(Comparator.comparingLong(Due::at));
    private final RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    private long now;

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
        throw new UnsupportedOperationException("a queue runs nothing");
    }

    @Override
    public <T extends HasMetadata> Job read(String name, Watch<T> watch, WatchReader<T> reader) {
        throw new UnsupportedOperationException("a queue reads nothing");
    }

    @Override
    public boolean await(CompletableFuture<?> future, Duration atMost) {
        throw new UnsupportedOperationException("a queue awaits nothing");
    }
}
