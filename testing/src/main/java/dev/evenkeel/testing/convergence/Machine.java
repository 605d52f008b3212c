package dev.evenkeel.testing.convergence;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.Watch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * The threads of a process from one start to its end, all of them the one that calls {@link #work}: tasks run in the order
 * in which they came, watches are read when they are {@linkplain #deliver told to}, and time goes on when nothing else is
 * to be done. So a run is the same each time, and takes no longer than what is done in it.
 */
final class Machine implements Scheduler {
    private record Due(long at, long number, Runnable task) {}

    private final VirtualClock clock;
    private final Predicate<String> held;
    private final RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final PriorityQueue<Due> timers =
            new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::number));
    private final List<Reading<?>> readings = new ArrayList<>();
    private long timersMade;
    private boolean dead;
    private boolean overtaken;

    /** @param held whether what happens to objects of a kind is not to be told yet */
    Machine(VirtualClock clock, Predicate<String> held) {
        this.clock = clock;
        this.held = held;
    }

    /** Ends it: nothing runs any more. */
    void die() {
        dead = true;
        end();
    }

    private void end() {
        tasks.clear();
        timers.clear();
        readings.clear();
    }

    /** Another process is in its place: what it is at goes on, and then nothing. */
    void overtake() {
        overtaken = true;
        end();
    }

    boolean overtaken() {
        return overtaken;
    }

    /** Whoever has been overtaken writes no more. */
    void requirePlace() {
        if (overtaken) {
            throw ApiException.of(Status.of(409, "Conflict", "another process has taken over"));
        }
    }

    boolean dead() {
        return dead;
    }

    /** Whoever is dead goes no further. */
    void requireAlive() {
        if (dead) {
            throw new Crashed();
        }
    }

    private boolean goesOn() {
        return !dead && !overtaken;
    }

    /** Reads the watches and runs a task; false when there was nothing to do. */
    boolean work() {
        boolean read = deliver();
        return step() || read;
    }

    /** Runs a task; false when there was none. */
    private boolean step() {
        Runnable task = tasks.poll();
        if (task == null) {
            return false;
        }
        task.run();
        return true;
    }

    /** Reads all watches that are not held; false when there was nothing in them. */
    boolean deliver() {
        boolean some = false;
        for (int i = 0; i < readings.size(); i++) { // what is read may open others
            Reading<?> reading = readings.get(i);
            if (!held.test(reading.kind())) {
                some |= reading.deliver();
            }
        }
        readings.removeIf(Reading::over);
        return some;
    }

    /** Reads the watches of a kind as one does who was away: of each object the last state only. */
    void deliverLast(String kind) {
        for (Reading<?> reading : List.copyOf(readings)) {
            if (reading.kind().equals(kind)) {
                reading.deliverLast();
            }
        }
    }

    /** When the next timer is due; empty when there is none. */
    OptionalLong nextTimer() {
        Due next = timers.peek();
        return next == null ? OptionalLong.empty() : OptionalLong.of(next.at);
    }

    /** Lets time go on to the next timer, and runs it. */
    void fire() {
        Due next = timers.remove();
        clock.advanceTo(next.at);
        next.task.run();
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public long nanoTime() {
        return clock.nanos();
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public Job execute(String name, Runnable task) {
        if (goesOn()) {
            tasks.add(task);
        }
        return Untouched.JOB;
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        Due due = new Due(clock.nanos() + Math.max(0, delay.toNanos()), timersMade++, task);
        if (goesOn()) {
            timers.add(due);
        }
        return () -> timers.remove(due);
    }

    @Override
    public <T extends HasMetadata> Job read(String name, Watch<T> watch, WatchReader<T> reader) {
        if (goesOn()) {
            readings.add(new Reading<>(watch, reader));
        }
        return Untouched.JOB;
    }

    @Override
    public boolean await(CompletableFuture<?> future, Duration atMost) {
        boolean more = true;
        while (!future.isDone() && more) {
            more = work();
        }
        return future.isDone();
    }

    /** What nobody interrupts or waits for. */
    private enum Untouched implements Job {
        JOB;

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

    /** A watch, and who reads it. */
    private static final class Reading<T extends HasMetadata> {
        private final Watch<T> watch;
        private final WatchReader<T> reader;
        private boolean over;

        Reading(Watch<T> watch, WatchReader<T> reader) {
            this.watch = watch;
            this.reader = reader;
        }

        /** The kind of its objects; empty when nobody knows. */
        String kind() {
            return watch instanceof Feed<?> feed ? feed.kind() : "";
        }

        boolean over() {
            return over;
        }

        boolean deliver() {
            boolean some = false;
            while (!over && watch.ready()) {
                next().ifPresent(reader::event);
                some = true;
            }
            return some;
        }

        void deliverLast() {
            Map<ObjectKey, Watch.Event<T>> last = new LinkedHashMap<>();
            while (!over && watch.ready()) {
                next().filter(event -> event.type() != Watch.Type.BOOKMARK).ifPresent(event -> {
                    ObjectKey key = key(event.object());
                    last.remove(key);
                    last.put(key, event);
                });
            }
            last.values().forEach(reader::event);
        }

        private static ObjectKey key(HasMetadata object) {
            return object instanceof Encoded encoded ? encoded.header().key() : ObjectKey.of(object);
        }

        private Optional<Watch.Event<T>> next() {
            try {
                Optional<Watch.Event<T>> event = watch.next();
                if (event.isEmpty()) {
                    over = true;
                    reader.ended();
                }
                return event;
            } catch (InterruptedException e) {
                throw new IllegalStateException("a watch that is ready waits for nothing", e);
            } catch (RuntimeException e) {
                over = true;
                reader.failed(e);
                return Optional.empty();
            }
        }
    }
}
