package dev.evenkeel.engine.store;

import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.Store.Event;
import dev.evenkeel.engine.spi.Store.Range;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events of one collection, and the cursors that wait for more of them.
 *
 * <p>The problem: a thousand watchers must not make a commit slow, and a watcher of a single object must neither be
 * woken by every event nor fall behind the history because it slept through the events of other objects.
 *
 * <p>A commit therefore only appends to the log and signals. One dispatch at a time, in the executor, processes the
 * events since the last dispatch and wakes the cursors whose range includes some of them. Invariants:
 *
 * <ol>
 *   <li>A cursor that is armed, and whose range has a published event at or beyond its position, will be woken: it was
 *       armed before it looked for events, and events are published before dispatches look for armed cursors.
 *   <li>An armed cursor has no events to read below {@link #dispatched()}: a cursor that had some was woken, thus
 *       disarmed, before that number was published; and a cursor that is woken for an event had none to read before it.
 *       It therefore skips the events that it slept through.
 * </ol>
 *
 * <p>Cost: of a commit, one atomic increment; of a dispatch, a flag for each cursor on the whole collection, and two
 * look-ups for each event if there are cursors on parts of it.
 */
final class Channel {
    private static final Logger LOG = LoggerFactory.getLogger(Channel.class);

    private final String collection;
    private final LongSupplier published;
    private final Executor executor;
    private final Log log;
    private final Range all;
    private final Map<Range, Set<Cursor>> cursors = new ConcurrentHashMap<>();
    private final AtomicInteger watchers = new AtomicInteger();
    private final AtomicInteger signals = new AtomicInteger();
    private volatile long dispatched;

    /**
     * Creates a channel whose events can be seen up to a revision that is published elsewhere.
     *
     * @param beginning the revision before which there are no events; 0 if the history is complete
     */
    Channel(String collection, long beginning, LongSupplier published, Executor executor) {
        this(collection, new Log(beginning), published, executor);
    }

    /** Creates a channel of a log that others write. */
    Channel(String collection, Log log, LongSupplier published, Executor executor) {
        this.collection = collection;
        this.log = log;
        this.published = published;
        this.executor = executor;
        this.all = Range.of(collection);
    }

    /** The canonical instance of the name, to be shared by keys. */
    String collection() {
        return collection;
    }

    Log log() {
        return log;
    }

    long published() {
        return published.getAsLong();
    }

    /** The sequence number below which all events have woken their cursors. */
    long dispatched() {
        return dispatched;
    }

    void add(Cursor cursor) {
        watchers.incrementAndGet();
        cursors.compute(cursor.range(), (range, present) -> {
            Set<Cursor> set = present == null ? ConcurrentHashMap.newKeySet() : present;
            set.add(cursor);
            return set;
        });
    }

    void remove(Cursor cursor) {
        cursors.computeIfPresent(cursor.range(), (range, present) -> {
            if (present.remove(cursor)) {
                watchers.decrementAndGet();
            }
            return present.isEmpty() ? null : present;
        });
    }

    /** Signals that new events are published. */
    void signal() {
        if (watchers.get() > 0) {
            dispatch();
        }
    }

    private void dispatch() {
        if (signals.getAndIncrement() == 0) {
            try {
                executor.execute(this::run);
            } catch (RejectedExecutionException e) { // the commit stays valid
                signals.set(0);
                LOG.warn("watchers of {} are not woken: the executor of the store refuses work", collection, e);
            }
        }
    }

    /** Arms a new cursor, or wakes it for events that were already published. */
    void begin(Cursor cursor) {
        if (!cursor.begin()) {
            executor.execute(cursor::notifyReader);
        }
    }

    /** Wakes all waiting cursors. */
    void end() {
        if (watchers.get() > 0) {
            executor.execute(this::wakeAll);
        }
    }

    private void run() {
        int seen = signals.get();
        do {
            pass();
            seen = signals.addAndGet(-seen);
        } while (seen != 0);
    }

    private void pass() {
        long limit = published();
        long end = log.end();
        long sequence = dispatched;
        // cursors on all collections have no range
        boolean parts = !collection.isEmpty() && (cursors.size() > 1 || !cursors.containsKey(all));
        long any = -1;
        boolean gap = false; // then all cursors look, and none is moved: a missing event may have been in its range
        while (sequence < end) {
            Event event = log.at(sequence);
            if (event == null) { // dropped before it was seen here
                gap = true;
                sequence = Math.max(sequence + 1, Math.min(log.first(), end));
                continue;
            }
            if (event.revision() > limit) {
                break; // its own signal follows
            }
            any = any < 0 ? sequence : any;
            if (parts) {
                Store.Key key = event.key();
                wake(new Range(key.collection(), key.namespace(), key.name()), gap ? 0 : sequence);
                if (!key.namespace().isEmpty()) {
                    wake(new Range(key.collection(), key.namespace(), ""), gap ? 0 : sequence);
                }
            }
            sequence++;
        }
        if (gap) {
            // Comes last: a cursor that waits from here on has looked since and found no event missing.
            wakeAll();
        } else if (any >= 0) {
            wake(all, any);
        }
        dispatched = sequence;
    }

    private void wake(Range range, long sequence) {
        Set<Cursor> waiting = cursors.get(range);
        if (waiting != null) {
            waiting.forEach(cursor -> cursor.wake(sequence));
        }
    }

    /** Wakes all waiting cursors, whatever their range. */
    private void wakeAll() {
        cursors.values().forEach(waiting -> waiting.forEach(cursor -> cursor.wake(0)));
    }

    void validate() {
        log.validate();
        int count = cursors.values().stream().mapToInt(Set::size).sum();
        if (watchers.get() != count) {
            throw new IllegalStateException(count + " cursors, counted " + watchers.get());
        }
    }
}
