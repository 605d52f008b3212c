package dev.evenkeel.controller.schedule;

import dev.evenkeel.client.Watch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Time that a test moves by hand. Tasks and timers run in the thread that moves it, in the order of their times and, at one
 * time, in that in which they were scheduled; nothing happens by itself.
 *
 * <p>Watches are read when they are {@linkplain Watch#ready ready}. Who awaits something runs what others have to do
 * meanwhile, so only what was awaited last can go on.
 */
public final class ManualScheduler implements Scheduler {
    private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

    private final RandomGenerator random;
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final List<Read<?>> reads = new ArrayList<>();
    private final Deque<Running> running = new ArrayDeque<>();
    private final PriorityQueue<Entry> timers =
            new PriorityQueue<>(Comparator.comparingLong(Entry::due).thenComparingLong(Entry::number));
    private long now;
    private long scheduled;

    private record Entry(long due, long number, Runnable task) {}

    /** Chance begins with 1. */
    public ManualScheduler() {
        this(1);
    }

    /** Chance begins with a seed. */
    public ManualScheduler(long seed) {
        this.random = new SplittableRandom(seed);
    }

    @Override
    public Clock clock() {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return BEGINNING.plusNanos(nanoTime());
            }
        };
    }

    @Override
    public synchronized long nanoTime() {
        return now;
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    /** A task, or somebody who reads a watch. */
    private final class Running implements Job {
        final CompletableFuture<Void> ended = new CompletableFuture<>();
        boolean interrupted;

        /** Does something as this job. */
        void as(Runnable part) {
            running.push(this);
            try {
                part.run();
            } finally {
                running.pop();
            }
        }

        @Override
        public void interrupt() {
            synchronized (ManualScheduler.this) {
                interrupted = true;
            }
        }

        @Override
        public CompletableFuture<Void> ended() {
            return ended.copy();
        }

        @Override
        public StackTraceElement[] stack() {
            return new StackTraceElement[0];
        }
    }

    @Override
    public synchronized Job execute(String name, Runnable task) {
        Running job = new Running();
        tasks.add(() -> job.as(() -> {
            try {
                task.run();
            } finally {
                job.ended.complete(null);
            }
        }));
        return job;
    }

    @Override
    public synchronized Timer schedule(Duration delay, Runnable task) {
        Entry entry = new Entry(now + Math.max(0, delay.toNanos()), scheduled++, task);
        timers.add(entry);
        return () -> {
            synchronized (this) {
                timers.remove(entry);
            }
        };
    }

    private final class Read<T extends HasMetadata> {
        private final Watch<T> watch;
        private final WatchReader<T> reader;
        private final Running job = new Running();

        Read(Watch<T> watch, WatchReader<T> reader) {
            this.watch = watch;
            this.reader = reader;
        }

        boolean able() {
            return job.interrupted || watch.ready();
        }

        void step() {
            job.as(() -> {
                try {
                    Optional<Watch.Event<T>> event = job.interrupted ? Optional.empty() : watch.next();
                    if (event.isPresent()) {
                        reader.event(event.get());
                        return;
                    }
                    over();
                    reader.ended();
                } catch (InterruptedException e) {
                    throw new AssertionError("a watch that is ready does not wait", e);
                } catch (RuntimeException e) {
                    over();
                    reader.failed(e);
                }
            });
        }

        private void over() {
            synchronized (ManualScheduler.this) {
                reads.remove(this);
            }
            job.ended.complete(null);
        }
    }

    @Override
    public synchronized <T extends HasMetadata> Job read(String name, Watch<T> watch, WatchReader<T> reader) {
        Read<T> read = new Read<>(watch, reader);
        reads.add(read);
        return read.job;
    }

    /** How many watches are read. */
    public synchronized int reads() {
        return reads.size();
    }

    /**
     * Hangs, in the task that runs now, until somebody interrupts it, but no longer than this; others go on meanwhile.
     *
     * @return whether it was interrupted
     */
    public boolean hang(Duration atMost) {
        Running job = running.element();
        long end = nanoTime() + atMost.toNanos();
        while (!job.interrupted) {
            Runnable next = next(end);
            if (next == null) {
                return false;
            }
            next.run();
        }
        return true;
    }

    /** Moves time on until the future is done, but no further than this. */
    @Override
    public boolean await(CompletableFuture<?> future, Duration atMost) {
        long end = nanoTime() + atMost.toNanos();
        while (!future.isDone()) {
            Runnable next = next(end);
            if (next == null) {
                return future.isDone();
            }
            next.run();
        }
        return true;
    }

    /** Moves time on, running what comes to be due. */
    public void advance(Duration duration) {
        long end = nanoTime() + duration.toNanos();
        for (Runnable next = next(end); next != null; next = next(end)) {
            next.run();
        }
    }

    /** Runs what is due, without moving time. */
    public void run() {
        advance(Duration.ZERO);
    }

    /** Moves time on without running anything, as when threads are late. */
    public synchronized void skip(Duration duration) {
        now += duration.toNanos();
    }

    /** How many timers are set. */
    public synchronized int timers() {
        return timers.size();
    }

    private synchronized @Nullable Runnable next(long end) {
        if (!tasks.isEmpty()) {
            return tasks.remove();
        }
        for (Read<?> read : reads) {
            if (read.able()) {
                return read::step;
            }
        }
        Entry timer = timers.peek();
        if (timer == null || timer.due() > end) {
            now = Math.max(now, end);
            return null;
        }
        timers.remove();
        now = Math.max(now, timer.due());
        return timer.task();
    }
}
