package dev.evenkeel.controller.simulation;

import dev.evenkeel.client.Watch;
import dev.evenkeel.controller.schedule.Scheduler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The threads, time and chance of a process, from one start to its end; after that it runs nothing. */
final class ProcessScheduler implements Scheduler {
    private static final long MILLISECOND = 1_000_000;

    private final Simulation simulation;
    private final Incarnation incarnation;

    ProcessScheduler(Simulation simulation, Incarnation incarnation) {
        this.simulation = simulation;
        this.incarnation = incarnation;
    }

    @Override
    public Clock clock() {
        return simulation.clock();
    }

    @Override
    public long nanoTime() {
        return simulation.nanos();
    }

    @Override
    public RandomGenerator random() {
        return incarnation.random;
    }

    @Override
    public Job execute(String name, Runnable task) {
        SimulatedJob job = new SimulatedJob();
        if (incarnation.dead()) {
            return job;
        }
        // a new thread gets a processor when it gets one
        long due = simulation.nanos() + simulation.upTo(MILLISECOND / 10);
        simulation.add(Task.Sort.THREAD, name, incarnation, job, due, () -> {
            try {
                task.run();
            } finally {
                if (!incarnation.dead()) {
                    job.end();
                }
            }
        });
        return job;
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        if (incarnation.dead()) {
            return () -> {};
        }
        long due = simulation.nanos() + Math.max(0, Simulation.nanos(delay)) + simulation.upTo(MILLISECOND / 20);
        return simulation.add(Task.Sort.TIMER, "timer", incarnation, null, due, task)::cancel;
    }

    @Override
    public <T extends HasMetadata> Job read(String name, Watch<T> watch, WatchReader<T> reader) {
        SimulatedJob job = new SimulatedJob();
        if (!incarnation.dead()) {
            FaultyWatch<T> source =
                    watch instanceof FaultyWatch<T> own ? own : FaultyWatch.plain(simulation, incarnation, name, watch);
            Reading<T> reading = new Reading<>(name, source, reader, job);
            source.listen(reading::arrange);
            job.onInterrupt(reading::arrange);
            reading.arrange();
        }
        return job;
    }

    @Override
    public boolean await(CompletableFuture<?> future, Duration atMost) throws InterruptedException {
        return simulation.await(incarnation, future, atMost);
    }

    /** A thread that reads a watch. */
    private final class Reading<T extends HasMetadata> {
        private final String name;
        private final FaultyWatch<T> watch;
        private final WatchReader<T> reader;
        private final SimulatedJob job;
        private @Nullable Task next;
        private boolean busy;
        private boolean over;

        Reading(String name, FaultyWatch<T> watch, WatchReader<T> reader, SimulatedJob job) {
            this.name = name;
            this.watch = watch;
            this.reader = reader;
            this.job = job;
        }

        /** Sees to it that what comes next is read when it is there. */
        void arrange() {
            if (busy || over || incarnation.dead()) {
                return;
            }
            long due = job.interrupted() ? simulation.nanos() : watch.nextDue();
            if (next != null) {
                if (next.due <= due) {
                    return;
                }
                next.cancel();
                next = null;
            }
            if (due < Long.MAX_VALUE) {
                next = simulation.add(
                        Task.Sort.THREAD, name, incarnation, job, Math.max(due, simulation.nanos()), this::take);
            }
        }

        private void take() {
            next = null;
            busy = true;
            try {
                if (Thread.interrupted()) {
                    over = true;
                    reader.ended();
                } else {
                    watch.take(this::event, this::failed);
                }
            } finally {
                busy = false;
                if (over && !incarnation.dead()) {
                    job.end();
                }
            }
            arrange();
        }

        private void event(Watch.@Nullable Event<T> event) {
            if (event == null) {
                over = true;
                reader.ended();
            } else {
                boolean read = false;
                try {
                    reader.event(event);
                    read = true;
                } finally {
                    over |= !read;
                }
            }
        }

        private void failed(RuntimeException failure) {
            over = true;
            reader.failed(failure);
        }
    }
}
