package dev.evenkeel.controller.internal.queue;

import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.RateLimiter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands out keys to workers.
 *
 * <h2>The problem</h2>
 *
 * <p>Many changes of one object arrive faster than it can be reconciled. Each must be followed by a reconciliation that
 * started after it, but one reconciliation is enough for many of them, and two concurrent ones of the same object would
 * work against each other. A failed key should be retried with growing delays; an urgent key should not wait behind a
 * hundred thousand initial keys, and these must have their turn nevertheless.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>A key is with at most one worker, from {@link #poll} until {@link #done(Item) done}.
 *   <li>A key waits at most once.
 *   <li>After an add, the key is handed out at least one more time, unless the queue is shut down. An add while the key
 *       is with a worker takes effect when the worker is done.
 *   <li>Keys of one priority (and flow) are handed out in the order in which they began to wait. A key of a higher
 *       priority comes before one of a lower unless that has waited longer by the ageing of the steps between them; so
 *       none waits indefinitely.
 *   <li>An add with a higher priority moves a waiting key to the end of that priority; one with a lower changes
 *       nothing.
 *   <li>Of several delays of one key the shortest counts. A delayed key has no place in the order until its delay is
 *       over, and then it counts as having arrived at that moment. A delayed key that is added directly too is handed
 *       out twice, except that when it is handed out before its next attempt after a failure is due, that was the next
 *       attempt.
 *   <li>Only {@link #addRateLimited} counts a failure: other adds neither lengthen nor shorten the row.
 *   <li>After {@link #shutDown}, adds are ignored, and waiting keys are still handed out.
 *   <li>No state is kept of a key that neither waits, nor is with a worker, nor is delayed, nor has failed.
 *   <li>A limiter, flow or metrics that throws costs no key its turn: it is logged, and the key has a default delay, no
 *       flow, or is not measured.
 * </ol>
 *
 * <p>The first three, and the rules of delays, are the contract of client-go's work queue.
 *
 * <h2>Concurrency and cost</h2>
 *
 * <p>One lock protects a few pointers: an operation finds the one entry that has all the state of its key, and moves it
 * between lists that run through the entries. See {@link Lanes} for the order, {@link Delays} for the delays. One timer
 * of the scheduler stands for the next delay; adds and polls read the time themselves, so that a late timer does not
 * change the order. All callbacks (the listener, limiters, flows, metrics, the scheduler) are called without
 * the lock; equals and hashCode of keys and causes must be self-contained.
 *
 * <p>Why not concurrent collections: the invariants span the waiting, the delayed and those with workers, and a lock
 * that is held for nanoseconds is not a bottleneck of reconcilers.
 *
 * @param <K> class of the keys, with equals and hashCode
 */
public final class WorkQueue<K> {
    private static final Logger LOG = LoggerFactory.getLogger(WorkQueue.class);
    private static final long NEVER = Long.MAX_VALUE;
    private static final RateLimiter.Delays USUAL = RateLimiter.standard().start();

    private final Scheduler scheduler;
    private final QueueOptions<K> options;
    private final RateLimiter.Delays limiter;
    private final boolean flows;
    private final boolean measured;
    private final int maxCauses;
    private final long origin;
    private volatile Runnable listener = () -> {};

    private final Object lock = new Object();
    private int takers;
    private final KeyTable<K> keys = new KeyTable<>();
    private final Lanes<K> lanes;
    private final Delays<K> delays = new Delays<>();
    private boolean shutDown;
    private long added;
    private long retried;

    /** Set when a poll noticed that more keys than its own are due, before the timer did. */
    private boolean announce;

    /** The entries with workers, the longest there first. */
    private final EntryList<K> working = new EntryList<>();

    private int inFlight;
    private long sumOfStarts;

    // the time of the present timer, its number, and the handle that cancels it
    private long armedFor = NEVER;
    private long armed;
    private Scheduler.@Nullable Timer timer;

    public WorkQueue(Scheduler scheduler, QueueOptions<K> options) {
        this.scheduler = scheduler;
        this.options = options;
        this.limiter = options.limiter().start();
        this.flows = options.flows();
        this.measured = !QueueMetrics.NONE.equals(options.metrics());
        this.maxCauses = options.maxCauses();
        this.lanes = new Lanes<>(Math.max(1, Nanos.of(options.ageing())), options.aged(), flows);
        this.origin = scheduler.nanoTime();
    }

    /** Creates an empty queue with {@link QueueOptions#defaults}. */
    public static <K> WorkQueue<K> of(Scheduler scheduler) {
        return new WorkQueue<>(scheduler, QueueOptions.defaults());
    }

    /** Returns the nanoseconds since the queue was created, which do not overflow. */
    private long now() {
        return scheduler.nanoTime() - origin;
    }

    private <R> R locked(Supplier<R> body) {
        synchronized (lock) {
            return body.get();
        }
    }

    private Object flow(K key) {
        return flows ? guarded("flow", () -> options.flow().apply(key), () -> "") : "";
    }

    private long delay(K key, int failures) {
        long now = scheduler.nanoTime();
        long delay = guarded(
                "limiter",
                () -> limiter.nanos(key, failures, now, scheduler.random()),
                () -> USUAL.nanos(key, failures, now, scheduler.random()));
        return Math.clamp(delay, 0, Nanos.LONGEST);
    }

    private void guarded(String what, Runnable foreign) {
        boolean unused = guarded(
                what,
                () -> {
                    foreign.run();
                    return true;
                },
                () -> false);
    }

    @SuppressWarnings("CatchThrowable")
    private <R> R guarded(String what, Supplier<R> foreign, Supplier<R> otherwise) {
        try {
            return foreign.get();
        } catch (Throwable e) {
            LOG.atError().addKeyValue("queue", options.name()).setCause(e).log("the {} failed", what);
            return otherwise.get();
        }
    }

    // ------------------------------------------------------------------------------------------------ adding

    /**
     * Sets the listener that is called when keys have become available, in order to start workers. It is called after
     * each operation that made keys available, possibly once for several, in the same thread and with no lock held; it
     * must not block, and may {@link #poll}. It is called at once when keys wait already.
     */
    public void onReady(Runnable listener) {
        this.listener = listener;
        if (size() > 0) {
            listener.run();
        }
    }

    /** Adds a key with normal priority, unless it waits already. */
    public void add(K key) {
        add(key, Priority.NORMAL, null);
    }

    /** Adds a key, with its cause if there is one; a key that waits already may get the higher priority. */
    public void add(K key, int priority, @Nullable Cause cause) {
        int hash = KeyTable.hash(key);
        Object flow = flow(key);
        boolean ready;
        synchronized (lock) {
            if (shutDown) {
                return;
            }
            Entry<K> entry = entry(key, hash, flow);
            if (cause != null) {
                entry.causes = entry.causes.with(cause, maxCauses);
            }
            ready = offer(entry, priority);
        }
        report(ready);
    }

    private void report(boolean ready) {
        if (ready) {
            listener.run();
        }
    }

    private Entry<K> entry(K key, int hash, Object flow) {
        Entry<K> entry = keys.get(key, hash);
        if (entry == null) {
            entry = new Entry<>(key, hash, flow);
            keys.put(entry);
        }
        return entry;
    }

    /** Adds an entry now, and returns whether a key became available. Reads the clock only where it matters. */
    private boolean offer(Entry<K> entry, int priority) {
        if (priority <= entry.priority && (entry.line != null || entry.again)) {
            return false;
        }
        long now = now();
        boolean others = promote(now);
        return offer(entry, priority, now) || others;
    }

    /** Adds an entry as of a given time, and returns whether it became available. */
    private boolean offer(Entry<K> entry, int priority, long at) {
        Line<K> line = entry.line;
        if (line != null) {
            if (priority > entry.priority) {
                lanes.raise(entry, line, priority, at);
            }
            return false;
        }
        if (entry.again) {
            entry.priority = Math.max(entry.priority, priority);
            return false;
        }
        entry.priority = priority;
        entry.since = at;
        added++;
        if (entry.item != null) {
            entry.again = true;
            return false;
        }
        push(entry, at);
        return true;
    }

    private void push(Entry<K> entry, long at) {
        lanes.add(entry, at);
        if (takers > 0) {
            lock.notify();
        }
    }

    /** Adds a key with normal priority after a delay. */
    public void addAfter(K key, Duration delay) {
        addAfter(key, Nanos.of(delay), Priority.NORMAL, Causes.NONE, false);
    }

    /**
     * Adds a key after a delay; at once when the delay is not positive. When it is delayed already, the shorter delay
     * and the higher priority count.
     */
    public void addAfter(K key, Duration delay, int priority, Cause cause) {
        addAfter(key, Nanos.of(delay), priority, Causes.NONE.with(cause, maxCauses), false);
    }

    /** Adds a key that failed, with normal priority, after a delay that grows with each failure in a row. */
    public Duration addRateLimited(K key) {
        return addRateLimited(key, Priority.NORMAL, null);
    }

    /** Adds a key that failed, after a delay that grows with each failure in a row, and returns the delay. */
    public Duration addRateLimited(K key, int priority, @Nullable Cause cause) {
        int hash = KeyTable.hash(key);
        Object flow = flow(key);
        int before;
        synchronized (lock) {
            if (shutDown) {
                return Duration.ZERO;
            }
            Entry<K> entry = entry(key, hash, flow);
            before = entry.failures;
            entry.failures = before == Integer.MAX_VALUE ? before : before + 1;
        }
        long delay = delay(key, before);
        addAfter(key, delay, priority, cause == null ? Causes.NONE : Causes.NONE.with(cause, maxCauses), true);
        return Duration.ofNanos(delay);
    }

    private void addAfter(K key, long delay, int priority, Causes causes, boolean retry) {
        int hash = KeyTable.hash(key);
        Object flow = flow(key);
        boolean ready;
        boolean arm;
        synchronized (lock) {
            if (shutDown) {
                return;
            }
            retried++;
            Entry<K> entry = entry(key, hash, flow);
            if (delay <= 0) {
                entry.causes = entry.causes.with(causes, maxCauses);
                ready = offer(entry, priority);
            } else {
                long now = now();
                ready = promote(now);
                delay(entry, now + delay, priority, causes, retry);
            }
            arm = mustArm();
        }
        if (arm) {
            arm();
        }
        report(ready);
    }

    private void delay(Entry<K> entry, long due, int priority, Causes causes, boolean retry) {
        Delay<K> delay = entry.delay;
        if (delay == null) {
            delay = new Delay<>(entry, due, priority, causes, retry);
            entry.delay = delay;
            delays.add(delay);
            return;
        }
        delay.priority = Math.max(delay.priority, priority);
        delay.causes = delay.causes.with(causes, maxCauses);
        if (due < delay.due) {
            delay.due = due;
            delay.retry = retry;
            delays.advance(delay);
        } else if (due == delay.due) {
            delay.retry &= retry;
        }
    }

    /** Ends the row of failures of a key; its delays and its place in the queue stay. */
    public void forget(K key) {
        int hash = KeyTable.hash(key);
        synchronized (lock) {
            Entry<K> entry = keys.get(key, hash);
            if (entry != null) {
                entry.failures = 0;
                release(entry);
            }
        }
        guarded("limiter", () -> limiter.forget(key));
    }

    /** Discards keys by a condition, which is called with no lock held; returns how many waited or were delayed. */
    public int discardIf(Predicate<? super K> which) {
        List<K> chosen = locked(keys::list).stream().filter(which).toList();
        return (int) chosen.stream().filter(this::discard).count();
    }

    /** Removes a key unless it is with a worker, and forgets its failures; returns whether it waited or was delayed. */
    public boolean discard(K key) {
        int hash = KeyTable.hash(key);
        boolean was = false;
        synchronized (lock) {
            Entry<K> entry = keys.get(key, hash);
            if (entry != null) {
                was = entry.line != null || entry.again || entry.delay != null;
                Line<K> line = entry.line;
                if (line != null) {
                    lanes.remove(entry, line);
                }
                dropDelay(entry);
                entry.again = false;
                entry.causes = Causes.NONE;
                entry.failures = 0;
                release(entry);
            }
        }
        guarded("limiter", () -> limiter.forget(key));
        return was;
    }

    private void dropDelay(Entry<K> entry) {
        Delay<K> delay = entry.delay;
        if (delay != null) {
            entry.delay = null;
            delays.remove(delay);
        }
    }

    private void release(Entry<K> entry) {
        if (entry.idle()) {
            keys.remove(entry);
        }
    }

    // ------------------------------------------------------------------------------------------------ delays

    /** Moves all due keys to the waiting ones, and returns whether a key became available. */
    private boolean promote(long now) {
        boolean ready = false;
        while (delays.firstDue() <= now) {
            Delay<K> delay = delays.first();
            delays.remove(delay);
            Entry<K> entry = delay.entry;
            entry.delay = null;
            entry.causes = entry.causes.with(delay.causes, maxCauses);
            ready |= offer(entry, delay.priority, delay.due);
        }
        return ready;
    }

    private boolean mustArm() {
        return delays.firstDue() < armedFor;
    }

    /** Sets a timer for the first delay, unless there is one in time. */
    private void arm() {
        long mine;
        long due;
        Scheduler.Timer late;
        synchronized (lock) {
            if (!mustArm()) {
                return;
            }
            due = delays.firstDue();
            armedFor = due;
            mine = ++armed;
            late = timer;
            timer = null;
        }
        cancel(late);
        Scheduler.Timer made = scheduler.schedule(Duration.ofNanos(Math.max(0, due - now())), () -> fire(mine));
        boolean current = locked(() -> {
            // another thread may have set an earlier one meanwhile, or nothing is delayed any more
            if (armed == mine) {
                timer = made;
            }
            return armed == mine;
        });
        if (!current) {
            made.cancel();
        }
    }

    private void fire(long mine) {
        boolean ready;
        synchronized (lock) {
            if (armed != mine) {
                return;
            }
            armedFor = NEVER;
            timer = null;
            ready = promote(now());
        }
        arm();
        report(ready);
    }

    // ------------------------------------------------------------------------------------------------ taking

    /** Hands a key to the caller, who must call {@link #done(Item) done}; empty when nothing waits. */
    public Optional<Item<K>> poll() {
        Item<K> item;
        boolean ready;
        synchronized (lock) {
            item = next();
            ready = announce;
            announce = false;
        }
        return handedOut(item, ready);
    }

    /** Waits for a key, as {@link #poll}; empty when the queue is shut down and nothing waits. */
    public Optional<Item<K>> take() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Item<K> item;
        boolean ready;
        synchronized (lock) {
            item = next();
            while (item == null && !shutDown) {
                takers++;
                try {
                    lock.wait();
                } finally {
                    takers--;
                }
                item = next();
            }
            ready = announce;
            announce = false;
        }
        return handedOut(item, ready);
    }

    private Optional<Item<K>> handedOut(@Nullable Item<K> item, boolean ready) {
        if (item != null && measured) {
            guarded("metrics", () -> options.metrics().waited().accept(item.waitedNanos()));
        }
        report(ready);
        return Optional.ofNullable(item);
    }

    private @Nullable Item<K> next() {
        if (lanes.size() == 0 && delays.size() == 0) {
            return null;
        }
        long now = now();
        boolean ready = promote(now);
        Entry<K> entry = lanes.poll();
        if (entry == null) {
            return null;
        }
        announce = ready && lanes.size() > 0;
        Delay<K> delay = entry.delay;
        if (delay != null && delay.retry) {
            dropDelay(entry);
            entry.causes = entry.causes.with(delay.causes, maxCauses);
        }
        Item<K> item =
                new Item<>(entry, now, Math.max(0, now - entry.since), entry.causes, entry.priority, entry.failures);
        entry.causes = Causes.NONE;
        entry.item = item;
        working.append(entry);
        inFlight++;
        sumOfStarts += now;
        return item;
    }

    /** Completes an item; throws an {@link IllegalStateException} when it was completed before. */
    @SuppressWarnings("ReferenceEquality") // only the very item that was handed out can be completed
    public void done(Item<K> item) {
        boolean ready;
        long worked;
        synchronized (lock) {
            if (item.entry().item != item) {
                throw new IllegalStateException(item.key() + " is not with this worker any more");
            }
            long now = measured || item.entry().again || delays.size() > 0 ? now() : 0;
            worked = now - item.started();
            // keys that became due earlier come first; this key too may have become due while with its worker
            boolean others = promote(now);
            ready = finish(item.entry(), item, now) || others;
        }
        if (measured) {
            guarded("metrics", () -> options.metrics().worked().accept(worked));
        }
        report(ready);
    }

    private boolean finish(Entry<K> entry, Item<K> item, long now) {
        working.unlink(entry);
        entry.item = null;
        inFlight--;
        sumOfStarts -= item.started();
        if (!entry.again) {
            release(entry);
            return false;
        }
        entry.again = false;
        push(entry, now);
        return true;
    }

    // ------------------------------------------------------------------------------------------------ ending

    /** Ignores adds from now on, and drops delayed keys; waiting keys are still handed out. */
    public void shutDown() {
        Scheduler.Timer late = locked(() -> {
            shutDown = true;
            while (delays.size() > 0) {
                Entry<K> entry = delays.first().entry;
                dropDelay(entry);
                release(entry);
            }
            lock.notifyAll();
            Scheduler.Timer last = timer;
            timer = null;
            armed++;
            armedFor = NEVER;
            return last;
        });
        cancel(late);
    }

    private static void cancel(Scheduler.@Nullable Timer timer) {
        if (timer != null) {
            timer.cancel();
        }
    }

    // ------------------------------------------------------------------------------------------------ state

    public int failures(K key) {
        int hash = KeyTable.hash(key);
        return locked(() -> {
            Entry<K> entry = keys.get(key, hash);
            return entry == null ? 0 : entry.failures;
        });
    }

    /** Returns how many keys wait, not counting those with workers and those delayed. */
    public int size() {
        return locked(lanes::size);
    }

    public int inFlight() {
        return locked(() -> inFlight);
    }

    /** Returns how many keys are delayed; these may wait, or be with a worker, at the same time. */
    public int delayed() {
        return locked(delays::size);
    }

    public QueueStatistics statistics() {
        return locked(() -> {
            long now = now();
            Entry<K> longest = working.first;
            Item<K> item = longest == null ? null : longest.item;
            return new QueueStatistics(
                    lanes.size(),
                    inFlight,
                    delays.size(),
                    added,
                    retried,
                    Duration.ofNanos(Math.max(0, inFlight * now - sumOfStarts)),
                    Duration.ofNanos(item == null ? 0 : Math.max(0, now - item.started())));
        });
    }

    public Optional<KeyState> state(K key) {
        int hash = KeyTable.hash(key);
        return locked(() -> Optional.ofNullable(keys.get(key, hash)).map(entry -> state(entry, now())));
    }

    private static <K> KeyState state(Entry<K> entry, long now) {
        Item<K> item = entry.item;
        Delay<K> delay = entry.delay;
        boolean waits = entry.line != null || entry.again;
        return new KeyState(
                waits ? Optional.of(ago(now, entry.since)) : Optional.empty(),
                item == null ? Optional.empty() : Optional.of(ago(now, item.started())),
                delay == null ? Optional.empty() : Optional.of(ago(delay.due, now)),
                waits
                        ? entry.priority
                        : item != null ? item.priority() : delay != null ? delay.priority : Priority.NORMAL,
                entry.failures,
                waits ? entry.causes : item != null ? item.causes() : delay != null ? delay.causes : Causes.NONE);
    }

    private static Duration ago(long later, long earlier) {
        return Duration.ofNanos(Math.max(0, later - earlier));
    }

    /** Returns the number of keys with state, and checks the capacity, for tests. */
    int kept() {
        return locked(keys::size);
    }

    int room() {
        return locked(() -> keys.capacity() + delays.capacity());
    }

    @Override
    public String toString() {
        QueueStatistics now = statistics();
        return "work queue " + options.name() + ": " + now.depth() + " waiting, " + now.inFlight() + " in flight, "
                + now.delayed() + " delayed";
    }
}
