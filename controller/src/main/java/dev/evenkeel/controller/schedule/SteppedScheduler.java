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
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Time that goes on when it is told to, and tasks that run when they are told to, all on the thread that tells: for tests
 * of one component, and to measure it without threads around it. There is no chance in the order: first come, first run.
 *
 * <p>A watch is read while it says that it is {@linkplain Watch#ready ready}. Not safe for use by several threads.
 */
public final class SteppedScheduler implements Scheduler {
    private static final Logger LOG = LoggerFactory.getLogger(SteppedScheduler.class);

    private record Due(long at, long number, Runnable task) {}

    private final PriorityQueue<Due> timers =
            new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::number));
    private final ArrayDeque<Task> tasks = new ArrayDeque<>();
    private final List<Reading<?>> readings = new ArrayList<>();
    private final RandomGenerator random;
    private final Clock clock = new SteppedClock();
    private final Instant beginning;
    private long now;
    private long numbered;
    private boolean settling;

    /** One that begins in 1970, with this seed for chance. */
    public SteppedScheduler(long seed) {
        this(seed, Instant.EPOCH);
    }

    /** One that begins at this time, with this seed for chance. */
    public SteppedScheduler(long seed, Instant beginning) {
        this.random = new java.util.SplittableRandom(seed);
        this.beginning = beginning;
    }

    private final class SteppedClock extends Clock {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return Clock.fixed(instant(), zone);
        }

        @Override
        public Instant instant() {
            return beginning.plusNanos(now);
        }
    }

    private static final class Task implements Job {
        private final String name;
        private final Runnable work;
        private final CompletableFuture<Void> done = new CompletableFuture<>();

        Task(String name, Runnable work) {
            this.name = name;
            this.work = work;
        }

        void run() {
            try {
                work.run();
            } catch (RuntimeException e) {
                LOG.atError().addKeyValue("task", name).setCause(e).log("a task failed");
            } finally {
                done.complete(null);
            }
        }

        @Override
        public void interrupt() {
            // it runs on the thread that would have to interrupt it
        }

        @Override
        public CompletableFuture<Void> ended() {
            return done.copy();
        }

        @Override
        public StackTraceElement[] stack() {
            return new StackTraceElement[0];
        }
    }

    /** A watch that is read while there is something in it. */
    private final class Reading<T extends HasMetadata> {
        private final Task job = new Task("", () -> {});
        private final Watch<T> watch;
        private final WatchReader<T> reader;

        Reading(Watch<T> watch, WatchReader<T> reader) {
            this.watch = watch;
            this.reader = reader;
        }

        /** Whether there was something. */
        boolean read() {
            if (!watch.ready()) {
                return false;
            }
            try {
                var event = watch.next();
                if (event.isPresent()) {
                    reader.event(event.get());
                } else {
                    end(reader::ended);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                end(reader::ended);
            } catch (RuntimeException e) {
                end(() -> reader.failed(e));
            }
            return true;
        }

        private void end(Runnable told) {
            readings.remove(this);
            told.run();
            job.run();
        }
    }

    /** Runs all tasks and reads all watches, until nothing is left to do now. Within itself it does nothing. */
    public void settle() {
        if (settling) {
            return;
        }
        settling = true;
        try {
            boolean more = true;
            while (more) {
                more = false;
                for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
                    task.run();
                    more = true;
                }
                for (Reading<?> reading : List.copyOf(readings)) {
                    more |= reading.read();
                }
            }
        } finally {
            settling = false;
        }
    }

    /** Lets time go by, and runs what is due on the way, each at its time. */
    public void advance(Duration duration) {
        long until = now + duration.toNanos();
        settle();
        for (Due first = timers.peek(); first != null && first.at <= until; first = timers.peek()) {
            timers.remove();
            now = Math.max(now, first.at);
            first.task.run();
            settle();
        }
        now = until;
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        Due due = new Due(now + Math.max(0, delay.toNanos()), numbered++, task);
        timers.add(due);
        return () -> timers.remove(due);
    }

    @Override
    public Job execute(String name, Runnable task) {
        Task added = new Task(name, task);
        tasks.add(added);
        return added;
    }

    @Override
    public <T extends HasMetadata> Job read(String name, Watch<T> watch, WatchReader<T> reader) {
        Reading<T> reading = new Reading<>(watch, reader);
        readings.add(reading);
        return reading.job;
    }

    /** Runs what there is to run now; no time goes by. */
    @Override
    public boolean await(CompletableFuture<?> future, Duration atMost) {
        settle();
        return future.isDone();
    }
}
