package dev.evenkeel.engine.internal;

import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.Store;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the events of a store that several engines write to.
 *
 * <p>An engine that has its store for itself sees every change at its commit. On a shared store it sees those of other
 * engines, and in the order of revisions its own, here. Events are processed by one thread at a time: a task in the
 * executor, or a request that waits for them in {@link #catchUp}.
 */
public final class StoreFollower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreFollower.class);
    private static final int BATCH = 256;
    private static final long CATCH_UP_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Store store;
    private final Executor executor;
    private final Consumer<Store.Event> events;
    private final Consumer<Store.Snapshot> resync;
    /** The signals that were not processed yet: the thread that raises them from 0 processes them all. */
    private final AtomicInteger signals = new AtomicInteger(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition advanced = lock.newCondition();
    private volatile Store.Watch watch;
    private volatile long position;
    private volatile boolean closed;
    private volatile @Nullable Thread reader;

    /**
     * Follows a store from a revision on.
     *
     * @param events receives each event, in order; after a {@code resync} also events that the snapshot includes
     * @param resync receives a snapshot when events before it were missed
     */
    public StoreFollower(
            Store store, long after, Executor executor, Consumer<Store.Event> events, Consumer<Store.Snapshot> resync) {
        this.store = store;
        this.executor = executor;
        this.events = events;
        this.resync = resync;
        position = after;
        watch = store.watch(Store.Range.ALL, after, this::signal);
        executor.execute(this::read);
    }

    private void signal() {
        if (signals.getAndIncrement() == 0) {
            executor.execute(this::read);
        }
    }

    /**
     * Returns once all events up to a revision are processed, or after some seconds.
     *
     * @param revision one that the store has reached
     */
    public void catchUp(long revision) {
        if (position >= revision || Thread.currentThread().equals(reader)) {
            return;
        }
        if (signals.getAndIncrement() == 0) {
            read();
            return;
        }
        long left = CATCH_UP_NANOS;
        lock.lock();
        try {
            while (position < revision && left > 0 && !closed) {
                left = advanced.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private void read() {
        int seen;
        do {
            seen = signals.get();
            reader = Thread.currentThread();
            try {
                poll();
            } catch (RuntimeException e) {
                if (!closed && !watch.closed()) {
                    LOG.atWarn().setCause(e).log("the engine cannot follow its store");
                }
            } finally {
                reader = null;
            }
        } while (signals.addAndGet(-seen) != 0);
    }

    private void poll() {
        while (!closed) {
            long present = store.revision(); // before the poll: after an empty one there is nothing up to here
            List<Store.Event> polled;
            try {
                polled = watch.poll(BATCH);
            } catch (CompactedException e) {
                LOG.info("the engine reads the whole store: {}", e.getMessage());
                restart();
                continue;
            }
            if (polled.isEmpty()) {
                advance(present);
                return;
            }
            polled.forEach(this::pass);
            advance(polled.getLast().revision());
        }
    }

    private void pass(Store.Event event) {
        try {
            events.accept(event);
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).log("the engine cannot process {}", event);
        }
    }

    private void restart() {
        watch.close();
        while (true) {
            Store.Snapshot snapshot = store.snapshot();
            resync.accept(snapshot);
            try {
                watch = store.watch(Store.Range.ALL, snapshot.revision(), this::signal);
                advance(snapshot.revision());
                return;
            } catch (CompactedException e) {
                LOG.debug("the engine reads the store again: {}", e.getMessage());
            }
        }
    }

    private void advance(long revision) {
        lock.lock();
        try {
            position = Math.max(position, revision);
            advanced.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        closed = true;
        watch.close();
        advance(0);
    }
}
