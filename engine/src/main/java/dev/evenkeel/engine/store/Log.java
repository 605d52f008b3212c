package dev.evenkeel.engine.store;

import dev.evenkeel.engine.spi.Store.Event;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A log of events that grows at its end, is truncated at its beginning, and can be read at any position meanwhile.
 *
 * <p>Events have consecutive sequence numbers, from 0. A reader holds a number, never a part of the log, so a reader
 * that stops keeps nothing alive. Events lie in segments, and segments in a table that is replaced when a segment is
 * added or dropped. Nothing is moved, therefore, and an event costs 4 bytes here.
 *
 * <p>One thread at a time writes: {@link #append}, {@link #drop}. All other methods may be called by any thread. An
 * event below {@link #end()} is available until it is dropped.
 */
final class Log {
    private static final int BITS = 8;
    private static final int SEGMENT = 1 << BITS;

    @SuppressWarnings("ArrayRecordComponent") // never compared, and never handed out
    private record Table(long base, @Nullable Event[][] segments) {
        @Nullable
        Event[] segment(long sequence) {
            return segments[(int) ((sequence >> BITS) - base)];
        }
    }

    private volatile Table table = new Table(0, new Event[0][]);
    private volatile long first;
    private volatile long end;
    private volatile long dropped;

    /** Creates a log from which nothing was dropped. */
    Log() {
        this(0);
    }

    /** Creates a log that begins after this revision, as if all earlier events had been dropped. */
    Log(long revision) {
        dropped = revision;
    }

    /** The sequence number of the oldest event that is still available. */
    long first() {
        return first;
    }

    /** The sequence number of the next event. */
    long end() {
        return end;
    }

    /** The number of events that are available. */
    long size() {
        return end - first;
    }

    /** The revision of the youngest event that was dropped; 0 when none was. */
    long dropped() {
        return dropped;
    }

    /** Returns the event with a number below {@link #end()}; null when it was dropped. */
    @Nullable
    Event at(long sequence) {
        if (sequence < first) {
            return null;
        }
        Table present = table;
        if (sequence >> BITS < present.base) {
            return null;
        }
        return present.segment(sequence)[(int) (sequence & (SEGMENT - 1))];
    }

    /** Returns the sequence number of the first event with a greater revision. */
    long after(long revision) {
        long low = first;
        long high = end;
        while (low < high) {
            long middle = (low + high) >>> 1;
            Event event = at(middle);
            if (event == null || event.revision() <= revision) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    void append(Event event) {
        long sequence = end;
        int within = (int) (sequence & (SEGMENT - 1));
        if (within == 0) {
            @Nullable Event[][] segments = Arrays.copyOf(table.segments, table.segments.length + 1);
            segments[segments.length - 1] = new Event[SEGMENT];
            table = new Table(table.base, segments);
        }
        table.segment(sequence)[within] = event;
        end = sequence + 1;
    }

    /** Drops the oldest event; there must be one. */
    Event drop() {
        long sequence = first;
        Event event = at(sequence);
        if (event == null || sequence == end) {
            throw new IllegalStateException("nothing to drop");
        }
        dropped = event.revision();
        first = sequence + 1;
        table.segment(sequence)[(int) (sequence & (SEGMENT - 1))] = null;
        if ((first & (SEGMENT - 1)) == 0) {
            table = new Table(table.base + 1, Arrays.copyOfRange(table.segments, 1, table.segments.length));
        }
        return event;
    }

    void validate() {
        long last = dropped;
        for (long sequence = first; sequence < end; sequence++) {
            Event event = at(sequence);
            if (event == null || event.revision() < last) {
                throw new IllegalStateException(event + " follows revision " + last);
            }
            last = event.revision();
        }
    }
}
