package dev.evenkeel.engine.store;

import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.Store.Event;
import dev.evenkeel.engine.spi.Store.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A position in the log of a channel: the whole state of a watch. {@link Channel} describes how it waits.
 *
 * <p>Only an event that ends a wait moves the position, since no event before it is in the range. An event that arrives
 * while the watch still checks that there is nothing to read triggers another look and does not move it.
 */
final class Cursor implements Store.Watch {
    private static final Logger LOG = LoggerFactory.getLogger(Cursor.class);

    private final Channel channel;
    private final Range range;
    private final boolean everything;
    private final long start;
    private final Runnable onReady;
    private final BooleanSupplier ended;
    private final AtomicReference<Mode> mode = new AtomicReference<>(Mode.READING);
    private long position;
    private volatile long woken;
    private volatile boolean closed;

    private enum Mode {
        /** There may be more to read, and the reader knows. */
        READING,
        /** To be woken for new events; earlier events may still be unread. */
        SETTLING,
        /** To be woken for new events; all earlier events were read. */
        WAITING
    }

    Cursor(Channel channel, Range range, long after, Runnable onReady, BooleanSupplier ended) {
        this.channel = channel;
        this.range = range;
        this.everything = range.namespace().isEmpty() && range.name().isEmpty();
        this.start = after;
        this.onReady = onReady;
        this.ended = ended;
        this.position = channel.log().after(after);
    }

    Range range() {
        return range;
    }

    /**
     * Returns true if the cursor now waits for events; false if there are some already, so that its owner must be
     * notified.
     */
    synchronized boolean begin() {
        mode.set(Mode.SETTLING);
        if (position >= channel.log().end()) {
            mode.compareAndSet(Mode.SETTLING, Mode.WAITING);
            return true;
        }
        return !mode.compareAndSet(Mode.SETTLING, Mode.READING);
    }

    /** Wakes the cursor if it waits; no event before this one in its range is unread. */
    void wake(long sequence) {
        if (mode.get() == Mode.READING) {
            return;
        }
        if (mode.compareAndSet(Mode.SETTLING, Mode.READING)) {
            notifyReader();
        } else if (mode.compareAndSet(Mode.WAITING, Mode.READING)) {
            woken = sequence;
            notifyReader();
        }
    }

    void notifyReader() {
        if (!closed) {
            try {
                onReady.run();
            } catch (RuntimeException | Error e) {
                LOG.warn("a watcher of {} failed when it was woken", range, e);
            }
        }
    }

    @Override
    public synchronized List<Event> poll(int max) {
        if (max < 1) {
            throw new IllegalArgumentException("max is " + max + ": must be at least 1");
        }
        if (closed) {
            return List.of();
        }
        long passed = channel.dispatched(); // before the mode is read
        if (mode.get() == Mode.WAITING) {
            position = Math.max(position, passed);
        }
        mode.set(Mode.READING);
        position = Math.max(position, woken);
        List<Event> events = read(max);
        if (events.isEmpty()) {
            mode.set(Mode.SETTLING);
            events = read(max); // events that arrived while the cursor was not armed
            mode.compareAndSet(Mode.SETTLING, events.isEmpty() ? Mode.WAITING : Mode.READING);
        }
        return events;
    }

    private List<Event> read(int max) {
        long limit = channel.published();
        Log log = channel.log();
        long end = log.end();
        List<Event> events = List.of();
        long last = 0;
        while (position < end) {
            Event event = log.at(position);
            if (event == null) {
                throw new CompactedException(Math.max(start, last), log.dropped());
            }
            if (event.revision() > limit || (events.size() >= max && event.revision() != last)) {
                break;
            }
            if (event.revision() > start && (everything || range.includes(event.key()))) {
                if (events.isEmpty()) {
                    events = new ArrayList<>((int) Math.min(max, end - position));
                }
                events.add(event);
                last = event.revision();
            }
            position++;
        }
        return events;
    }

    @Override
    public boolean closed() {
        return closed || ended.getAsBoolean();
    }

    @Override
    public void close() {
        closed = true;
        channel.remove(this);
    }
}
