package dev.evenkeel.controller.schedule;

import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.Watch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Virtual time for tests: tasks have threads, but only one runs at a time, and a seed decides which of those that could.
 *
 * <p>A thread gives way when it ends or awaits something. Processes ({@link #process}) share time and turns; each can be
 * frozen, and then none of its tasks and timers runs, until it is thawed.
 */
public final class BatonScheduler implements Scheduler {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final World world;
    private final String process;
    private final Duration skew;
    private final Map<Thread, Task> tasks = new ConcurrentHashMap<>();
    private boolean frozen;

    /** The state that all processes share. */
    private static final class World {
        final RandomGenerator random;
        final Semaphore turn = new Semaphore(0);
        final PriorityQueue<Due> due = new PriorityQueue<>();
        final List<Due> ready = new ArrayList<>();
        final List<Wait> waits = new ArrayList<>();
        final List<String> failures = new ArrayList<>();
        long now = 1_000_000_000L;
        long counter;

        World(long seed) {
            random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        }
    }

    /** Something to run at a time: a step of the one thread that has the turn. */
    private record Due(long at, long number, BatonScheduler process, Runnable step) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int order = Long.compare(at, other.at);
            return order != 0 ? order : Long.compare(number, other.number);
        }
    }

    /** A task that continues when the condition holds, or when it is interrupted. */
    private record Wait(BatonScheduler process, Task task, BooleanSupplier condition) {}

    /** A world of its own. */
    public BatonScheduler(long seed) {
        this(new World(seed), "main", Duration.ZERO);
    }

    private BatonScheduler(World world, String process, Duration skew) {
        this.world = world;
        this.process = process;
        this.skew = skew;
    }

    /** A process of the same world, whose time of day is this much off. */
    public BatonScheduler process(String name, Duration clockSkew) {
        return new BatonScheduler(world, name, clockSkew);
    }

    /** Nothing of this process runs from now on. */
    public void freeze() {
        frozen = true;
    }

    /** Goes on. */
    public void thaw() {
        frozen = false;
    }

    /** Lets this much time pass, and runs what there is to run. */
    public void advance(Duration time) {
        runUntil(world.now + time.toNanos());
    }

    private void runUntil(long end) {
        while (true) {
            while (!world.due.isEmpty() && world.due.peek().at <= world.now) {
                world.ready.add(world.due.poll());
            }
            for (Wait wait : List.copyOf(world.waits)) {
                if (wait.task.interrupted || wait.condition.getAsBoolean()) {
                    world.waits.remove(wait);
                    world.ready.add(new Due(world.now, world.counter++, wait.process, wait.task::step));
                }
            }
            List<Due> able =
                    world.ready.stream().filter(due -> !due.process.frozen).toList();
            if (!able.isEmpty()) {
                Due next = able.get(world.random.nextInt(able.size()));
                world.ready.remove(next);
                next.step.run();
                if (!world.failures.isEmpty()) {
                    throw new AssertionError(world.failures.getFirst());
                }
                continue;
            }
            if (world.due.isEmpty() || world.due.peek().at > end) {
                world.now = Math.max(world.now, end);
                return;
            }
            world.now = Math.max(world.now, world.due.peek().at);
        }
    }

    private Due at(long time, Runnable step) {
        Due due = new Due(time, world.counter++, this, step);
        world.due.add(due);
        return due;
    }

    @Override
    public Clock clock() {
        return Clock.offset(((InstantSource) () -> BEGIN.plusNanos(world.now)).withZone(ZoneOffset.UTC), skew);
    }

    @Override
    public long nanoTime() {
        return world.now;
    }

    @Override
    public RandomGenerator random() {
        return world.random;
    }

    /** A thread that runs only when it has the turn. */
    private final class Task implements Job {
        final CompletableFuture<Void> done = new CompletableFuture<>();
        final Semaphore go = new Semaphore(0);
        final Thread thread;
        boolean interrupted;
        boolean over;

        Task(String name, Runnable body) {
            thread = Thread.ofVirtual().name(process + ": " + name).unstarted(() -> {
                go.acquireUninterruptibly();
                try {
                    body.run();
                } catch (Throwable e) {
                    world.failures.add(process + ": " + name + ": " + e);
                    e.printStackTrace();
                } finally {
                    over = true;
                    done.complete(null);
                    world.turn.release();
                }
            });
        }

        /** Gives the turn to the thread, and waits until it gives way. */
        void step() {
            if (over) {
                return;
            }
            go.release();
            world.turn.acquireUninterruptibly();
        }

        @Override
        public void interrupt() {
            interrupted = true;
        }

        @Override
        public CompletableFuture<Void> ended() {
            return done.copy();
        }

        @Override
        public StackTraceElement[] stack() {
            return thread.getStackTrace();
        }
    }

    @Override
    public Job execute(String name, Runnable body) {
        Task task = new Task(name, body);
        tasks.put(task.thread, task);
        task.done.thenRun(() -> tasks.remove(task.thread));
        at(world.now, () -> {
            task.thread.start();
            task.step();
        });
        return task;
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        boolean[] cancelled = {false};
        at(world.now + Math.max(0, delay.toNanos()), () -> {
            if (!cancelled[0]) {
                task.run();
            }
        });
        return () -> cancelled[0] = true;
    }

    @Override
    public <T extends HasMetadata> Job read(String name, Watch<T> watch, WatchReader<T> reader) {
        return execute(name, () -> {
            try {
                while (true) {
                    awaitUntil(watch::ready, Long.MAX_VALUE);
                    Optional<Watch.Event<T>> event = watch.next();
                    if (event.isEmpty()) {
                        reader.ended();
                        return;
                    }
                    reader.event(event.get());
                }
            } catch (InterruptedException e) {
                reader.ended();
            } catch (RuntimeException e) {
                reader.failed(e);
            }
        });
    }

    /** Lets a task, which must be one of this process, wait for some time. */
    public void pause(Duration time) throws InterruptedException {
        boolean unused = await(new CompletableFuture<>(), time);
    }

    @Override
    public boolean await(CompletableFuture<?> future, Duration atMost) throws InterruptedException {
        long end = world.now + atMost.toNanos();
        awaitUntil(future::isDone, end);
        return future.isDone();
    }

    /** Gives way until the condition holds or the time has come; the condition is asked before each turn. */
    private void awaitUntil(BooleanSupplier condition, long end) throws InterruptedException {
        Task task = tasks.get(Thread.currentThread());
        if (task == null) {
            throw new IllegalStateException("only tasks of " + process + " may await");
        }
        if (condition.getAsBoolean() || world.now >= end) {
            return;
        }
        Wait wait = new Wait(this, task, condition);
        if (!task.interrupted) {
            world.waits.add(wait);
            if (end < Long.MAX_VALUE) {
                at(end, () -> {
                    if (world.waits.remove(wait)) {
                        task.step();
                    }
                });
            }
            world.turn.release();
            task.go.acquireUninterruptibly();
        }
        if (task.interrupted && !condition.getAsBoolean() && world.now < end) {
            task.interrupted = false;
            throw new InterruptedException();
        }
    }
}
