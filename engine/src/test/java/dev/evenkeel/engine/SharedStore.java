package dev.evenkeel.engine;

import dev.evenkeel.engine.spi.StoreException;
import dev.evenkeel.engine.store.DurableStore;
import dev.evenkeel.engine.store.MemoryStore;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One engine's store on data that the stores of other engines write to, too: as an etcd client with a cache, in one
 * process. What the others write arrives at once, after some turns of other threads, or not before it is requested.
 */
public final class SharedStore extends DurableStore {
    /** When the commits of other stores arrive. */
    public enum Delivery {
        AT_ONCE,
        DELAYED,
        HELD
    }

    private final MemoryStore data;
    private final Executor executor;
    private final Random random;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Event> arrived = new ArrayDeque<>();
    private final AtomicReference<StoreException.Reason> failure = new AtomicReference<>();
    private final AtomicInteger commits = new AtomicInteger();
    private final Watch watch;
    private volatile Delivery delivery = Delivery.AT_ONCE;
    private boolean closed; // guarded by lock
    private volatile Optional<Outage> outage = Optional.empty();

    public SharedStore(MemoryStore data, Context context, long seed) {
        this(data, context, seed, data.snapshot());
    }

    private SharedStore(MemoryStore data, Context context, long seed, Snapshot beginning) {
        super(MemoryStore.Window.DEFAULT, context, beginning.revision(), entries(beginning));
        this.data = data;
        executor = context.executor();
        random = new Random(seed);
        lock.lock();
        try {
            watch = data.watch(Range.ALL, beginning.revision(), () -> executor.execute(this::deliver));
            receive();
        } finally {
            lock.unlock();
        }
    }

    private static Collection<Entry> entries(Snapshot snapshot) {
        List<Entry> entries = new ArrayList<>();
        for (String collection : snapshot.collections()) {
            snapshot.range(collection, "", null, entries::add);
        }
        return entries;
    }

    @Override
    public boolean shared() {
        return true;
    }

    /** Sets when commits of other stores arrive; those that are held arrive now unless they still are. */
    public SharedStore deliver(Delivery value) {
        delivery = value;
        deliver();
        return this;
    }

    /** Begins or ends an outage. */
    public void reachable(boolean value) {
        outage = value ? Optional.empty() : Optional.of(new Outage(Instant.EPOCH, "the data cannot be reached; wait"));
        deliver();
    }

    /** Lets the next commit fail; one whose result is unknown is made nevertheless. */
    public void failNext(StoreException.Reason reason) {
        failure.set(reason);
    }

    /** Returns how many commits of this store were made. */
    public int commits() {
        return commits.get();
    }

    @Override
    public Optional<Outage> outage() {
        return outage;
    }

    @Override
    public Outcome commit(List<Change> changes, List<Condition> conditions) {
        requireOpen();
        requireReachable();
        StoreException.Reason reason = failure.getAndSet(null);
        if (reason != null && reason != StoreException.Reason.UNKNOWN) {
            throw new StoreException(reason, "the commit is " + reason, null);
        }
        Outcome outcome = data.commit(changes, conditions);
        if (reason != null) {
            throw new StoreException(reason, "the commit is " + reason, null);
        }
        switch (outcome) {
            case Committed(long revision) -> {
                commits.incrementAndGet();
                arriveUpTo(revision);
            }
            case Conflict conflict -> arriveUpTo(data.revision());
        }
        return outcome;
    }

    @Override
    public Snapshot latest() {
        requireReachable();
        arriveUpTo(data.revision());
        return snapshot();
    }

    private void requireReachable() {
        outage.ifPresent(present -> {
            throw new StoreException(present.problem(), null);
        });
    }

    private void deliver() {
        while (delivery != Delivery.HELD && outage.isEmpty()) {
            if (delivery == Delivery.DELAYED) {
                pause();
            }
            lock.lock();
            try {
                receive();
                if (closed || arrived.isEmpty()) {
                    return;
                }
                arriveUpTo(arrived.getFirst().revision());
            } finally {
                lock.unlock();
            }
        }
    }

    private void pause() {
        int turns;
        synchronized (random) {
            turns = random.nextInt(4) == 0 ? random.nextInt(200) : 0;
        }
        for (int i = 0; i < turns; i++) {
            Thread.yield();
        }
    }

    private void receive() {
        if (watch != null) { // null while the constructor opens it
            for (List<Event> events = watch.poll(100); !events.isEmpty(); events = watch.poll(100)) {
                arrived.addAll(events);
            }
        }
    }

    private void arriveUpTo(long revision) {
        lock.lock();
        try {
            receive();
            while (!arrived.isEmpty() && arrived.getFirst().revision() <= revision) {
                long next = arrived.getFirst().revision();
                List<Change> changes = new ArrayList<>();
                while (!arrived.isEmpty() && arrived.getFirst().revision() == next) {
                    Event event = arrived.remove();
                    changes.add(new Change(
                            event.key(),
                            0,
                            event.current() == null ? null : event.current().value()));
                }
                publish(next, changes);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            watch.close();
            super.close();
        } finally {
            lock.unlock();
        }
    }
}
