package dev.evenkeel.simulation;

import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.Watch;
import dev.evenkeel.simulation.internal.ProcessCrashed;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads, time and randomness of one process, in virtual time: nothing runs before time is moved, and everything
 * runs on the thread that moves it.
 *
 * <p>For tests of one component: {@link #run} runs what is due now, {@link #advance} lets time pass. Tasks and watches
 * alternate in the order of their arrival, timers follow at their times; a watch is read while it is {@linkplain
 * Watch#ready ready}. While a task {@linkplain #await waits}, other tasks run and time passes.
 *
 * <p>In a {@link Simulation} the seed decides which of the due tasks is the next. Not safe for use by several threads.
 */
public final class VirtualScheduler implements Scheduler {
    private static final Logger LOG = LoggerFactory.getLogger(VirtualScheduler.class);
    private static final long MILLISECOND = 1_000_000;

    private final VirtualTime time;
    private final List<Reading<?>> polled;
    private final String process;
    private final String name;
    private final RandomGenerator random;
    private long frozenUntil = Long.MIN_VALUE;
    private int readers;
    private boolean dead;
    private boolean stopped;

    /** Creates a scheduler whose time starts in 1970, with this seed for randomness. */
    public VirtualScheduler(long seed) {
        this(seed, Instant.EPOCH);
    }

    /** Creates a scheduler whose time starts at the given instant, with this seed for randomness. */
    public VirtualScheduler(long seed, Instant start) {
        this(new VirtualClock(start), seed);
    }

    /** Creates a scheduler that moves this clock, with this seed for randomness. */
    public VirtualScheduler(VirtualClock clock, long seed) {
        this.polled = new ArrayList<>();
        this.time = new VirtualTime(clock, null, new InOrder(), Long.MAX_VALUE);
        this.process = "main";
        this.name = process;
        this.random = new SplittableRandom(seed);
    }

    /** Creates the scheduler of a process that shares its time with other processes. */
    VirtualScheduler(VirtualTime time, List<Reading<?>> polled, String process, String name, RandomGenerator random) {
        this.time = time;
        this.polled = polled;
        this.process = process;
        this.name = name;
        this.random = random;
    }

    /** Runs tasks in order; failures are logged. */
    private final class InOrder implements VirtualTime.Hooks {
        @Override
        public void poll() {
            VirtualScheduler.poll(polled);
        }

        @Override
        public void failed(Task task, Throwable failure) {
            if (failure instanceof Error error) {
                throw error;
            }
            LOG.atError().addKeyValue("task", task.name).setCause(failure).log("a task failed");
        }
    }

    /** Returns the scheduler of a further process, or of the next start of this one, in the same time. */
    public VirtualScheduler next() {
        return new VirtualScheduler(time, polled, process, name, random);
    }

    /** Runs all tasks and reads all watches until nothing is due any more; within a task, on top of it. */
    public void run() {
        time.runUntil(time.now());
    }

    /** Runs as {@link #run} does, but does nothing within a task. */
    public void settle() {
        if (time.current() == null) {
            run();
        }
    }

    /** Runs one due task, or reads one event; returns false if there is none. */
    public boolean step() {
        Task task = time.next(time.now(), time.depth() > 0);
        if (task != null) {
            time.run(task);
        }
        return task != null;
    }

    /** Advances time, and runs tasks that become due, each at its time. */
    public void advance(Duration duration) {
        time.runUntil(time.now() + duration.toNanos());
    }

    /** Advances time without running anything, as when threads are late. */
    public void skip(Duration duration) {
        time.clock().advance(duration);
    }

    /** Advances time to the next task, unless that is later than this; then returns false. */
    public boolean advanceToNext(Duration atMost) {
        long due = time.nextDue();
        if (due - time.now() > atMost.toNanos()) {
            return false;
        }
        time.clock().advanceTo(due);
        return true;
    }

    /** Reads all ready watches at once; returns false if there is none. */
    public boolean readWatches() {
        boolean some = false;
        for (int i = 0; i < polled.size(); i++) { // a reader may open further ones
            some |= polled.get(i).readAll();
        }
        return some;
    }

    /** Returns the number of timers that are set. */
    public int timers() {
        return time.timers(this);
    }

    /** Returns the number of watches that are being read. */
    public int readers() {
        return readers;
    }

    /**
     * Waits in the running task until it is interrupted, but no longer than this.
     *
     * @return true if it was interrupted
     */
    public boolean hang(Duration atMost) {
        try {
            await(new CompletableFuture<>(), atMost);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** Runs no further task, timer or watch of this process; the running task continues. */
    public void stop() {
        stopped = true;
    }

    /** Ends the process: its tasks do not run any more, and its frames on the stack end at their next call or wait. */
    public void kill() {
        dead = true;
        stopped = true;
    }

    /** Returns true if the process was killed. */
    public boolean dead() {
        return dead;
    }

    /** Throws an error in a task of a killed process. */
    public void requireAlive() {
        if (dead) {
            throw new ProcessCrashed(name);
        }
    }

    /** Returns true if it was stopped or killed. */
    public boolean stopped() {
        return stopped;
    }

    /** Returns the name of the process, the same for each of its starts. */
    String process() {
        return process;
    }

    /** Freezes the process until this time, or longer if it is frozen already. */
    void freezeUntil(long nanos) {
        frozenUntil = Math.max(frozenUntil, nanos);
    }

    void thaw() {
        frozenUntil = Math.min(frozenUntil, time.now());
    }

    long frozenUntil() {
        return frozenUntil;
    }

    @Override
    public Clock clock() {
        return time.clock();
    }

    @Override
    public long nanoTime() {
        return time.now();
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public Job execute(String task, Runnable body) {
        Task.Job job = new Task.Job();
        if (!stopped) {
            // a new thread gets a processor a little later
            long due = time.now() + time.jitter(MILLISECOND / 10);
            time.add(new Task(Task.Sort.THREAD, task, this, job, due, () -> {
                try {
                    body.run();
                } finally {
                    end(job);
                }
            }));
        }
        return job;
    }

    private void end(Task.Job job) {
        if (!stopped) {
            job.end();
        }
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        if (stopped) {
            return () -> {};
        }
        long due = time.now() + Math.max(0, nanos(delay)) + time.jitter(MILLISECOND / 20);
        return time.add(new Task(Task.Sort.TIMER, "timer", this, null, due, task))::cancel;
    }

    @Override
    public <T extends HasMetadata> Job read(String reader, Watch<T> watch, WatchReader<T> to) {
        Task.Job job = new Task.Job();
        if (!stopped) {
            Reading<T> reading = new Reading<>(this, reader, watch, to, job);
            readers++;
            job.onInterrupt(reading::arrange);
            if (watch instanceof FaultyWatch<T> timed) {
                timed.listen(reading::arrange);
            } else {
                polled.add(reading);
            }
            reading.arrange();
        }
        return job;
    }

    @Override
    public boolean await(CompletableFuture<?> future, Duration atMost) throws InterruptedException {
        long wait = Math.max(0, nanos(atMost));
        long now = time.now();
        return time.await(this, future::isDone, wait > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + wait);
    }

    static long nanos(Duration duration) {
        return TimeUnit.NANOSECONDS.convert(duration);
    }

    /** Returns the name, with the number of the start where it has one. */
    @Override
    public String toString() {
        return name;
    }

    /** Adds the tasks that read the ready watches. */
    static void poll(List<Reading<?>> readings) {
        for (int i = 0; i < readings.size(); i++) {
            readings.get(i).arrange();
        }
        readings.removeIf(Reading::over);
    }

    /** A thread that reads a watch, one event a task. */
    static final class Reading<T extends HasMetadata> {
        private final VirtualScheduler process;
        private final String name;
        private final Watch<T> watch;
        private final WatchReader<T> reader;
        private final Task.Job job;
        private @Nullable Task next;
        private boolean busy;
        private boolean over;

        Reading(VirtualScheduler process, String name, Watch<T> watch, WatchReader<T> reader, Task.Job job) {
            this.process = process;
            this.name = name;
            this.watch = watch;
            this.reader = reader;
            this.job = job;
        }

        boolean over() {
            return over || process.stopped;
        }

        private long due() {
            long now = process.time.now();
            if (watch instanceof FaultyWatch<T> timed && !job.interrupted()) {
                return Math.max(now, timed.nextDue());
            }
            return job.interrupted() || watch.ready() ? now : Long.MAX_VALUE;
        }

        /** Adds the task that reads the next event, when its time is known. */
        void arrange() {
            boolean taken = next != null && !(watch instanceof FaultyWatch) && next.due <= process.time.now();
            if (busy || over() || taken) {
                return;
            }
            long due = due();
            if (next != null) {
                if (next.due <= due) {
                    return;
                }
                next.cancel();
                next = null;
            }
            if (due < Long.MAX_VALUE) {
                next = process.time.add(new Task(Task.Sort.THREAD, name, process, job, due, this::take));
            }
        }

        /** Reads all ready events; returns false if there were none. */
        boolean readAll() {
            boolean some = false;
            while (!busy && !over() && watch.ready()) {
                read();
                some = true;
            }
            return some;
        }

        private void take() {
            next = null;
            if (Thread.interrupted()) {
                finish(reader::ended);
            } else if (watch.ready()) {
                read();
            }
            arrange();
        }

        private void read() {
            busy = true;
            try {
                Optional<Watch.Event<T>> event;
                try {
                    event = watch.next();
                } catch (InterruptedException e) {
                    throw new IllegalStateException("a watch that is ready must not wait", e);
                } catch (RuntimeException e) {
                    finish(() -> reader.failed(e));
                    return;
                }
                if (event.isEmpty()) {
                    finish(reader::ended);
                    return;
                }
                over = true; // unless the reader continues with it
                reader.event(event.get());
                over = false;
            } finally {
                busy = false;
            }
        }

        private void finish(Runnable report) {
            over = true;
            process.readers--;
            try {
                report.run();
            } finally {
                process.end(job);
            }
        }
    }
}
