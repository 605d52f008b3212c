package dev.evenkeel.controller;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs controllers over one client: starts what they need in order, and stops it in the other order.
 *
 * <p>Several managers in a process share nothing.
 */
public final class Manager implements AutoCloseable {
    private final Clock clock;
    private final Scheduler scheduler;
    private final Runnable release;
    private final Backoff backoff;
    private final Client client;
    private final Informers informers;
    private final List<RunningController<?>> controllers = new ArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private boolean started;
    private boolean closed;

    private Manager(Client client, Clock clock, Scheduler scheduler, Runnable release, Backoff backoff) {
        this.client = client;
        this.clock = clock;
        this.scheduler = scheduler;
        this.release = release;
        this.backoff = backoff;
        this.informers = new Informers(client, scheduler, backoff);
    }

    /** A manager in real time, with a thread of its own for what is due later. */
    public static Manager of(Client client) {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("evenkeel timer").factory());
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        Scheduler scheduler = (Duration delay, Runnable task) -> {
            var _ = timer.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        };
        return new Manager(
                client, Clock.systemUTC(), scheduler, timer::shutdownNow, Backoff.standard(new java.util.Random()));
    }

    /** A manager in the time that is given. */
    public static Manager of(Client client, Clock clock, Scheduler scheduler, Backoff backoff) {
        return new Manager(client, clock, scheduler, () -> {}, backoff);
    }

    /** Adds a controller, before the start. */
    public <T extends HasMetadata> Manager add(Controller<T> controller) {
        lock.lock();
        try {
            if (started || closed) {
                throw new IllegalStateException("controller " + controller.name() + " comes after the start");
            }
            WorkQueue<Request> queue = new WorkQueue<>(clock, scheduler, backoff);
            controllers.add(new RunningController<>(controller, client, clock, queue, informers));
            return this;
        } finally {
            lock.unlock();
        }
    }

    /** The informer of a kind, for listening before the start and reading after it; the controllers share it. */
    public <T extends HasMetadata> Informer<T> informer(Kind<T> kind) {
        lock.lock();
        try {
            if (started || closed) {
                throw new IllegalStateException("an informer of " + kind.id() + " is asked for after the start");
            }
            return informers.of(kind);
        } finally {
            lock.unlock();
        }
    }

    /** Starts everything, and returns at once: workers begin when what they look at is in sync. */
    public Manager start() {
        lock.lock();
        try {
            if (started || closed) {
                throw new IllegalStateException("a manager starts once");
            }
            started = true;
            controllers.forEach(RunningController::start);
            informers.start();
            return this;
        } finally {
            lock.unlock();
        }
    }

    /** Stops everything: reconciliations that run come to their end, no others begin. Returns when all is still. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            for (RunningController<?> controller : controllers) {
                controller.stop();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            informers.close();
            release.run();
            lock.unlock();
        }
    }
}
