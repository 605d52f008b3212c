package dev.evenkeel.engine.store;

import dev.evenkeel.collection.internal.PersistentTree;
import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.Store.Event;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The past states of the store.
 *
 * <p>The problem: a list continues at the exact revision of its first page, minutes later. Keeping the tree of every
 * revision would do, but each tree keeps alive the path that its commit copied: some 600 bytes for each event of the
 * window, half of the size of the objects themselves. Therefore only some trees are kept, at intervals, and any other
 * one is made from the nearest of them by undoing or redoing the events between, which the log has anyway.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>The log of all events has every event after revision {@link #oldest()}.
 *   <li>The states kept are at or after {@code oldest}.
 * </ol>
 *
 * <p>Cost: a state at most half of {@link #interval} events away from a kept one takes about 1 µs for each of these
 * events, once: the few states made last are kept too, since a list requests the same one page after page. Making a
 * state blocks no other thread.
 *
 * <p>{@link #append}, {@link #keep} and {@link #drop} are called under the commit lock, {@link #at} by any thread.
 */
final class Past {
    private static final int REMEMBERED = 8;

    private final Log log;
    private final int interval;
    private final ConcurrentSkipListMap<Long, State> states = new ConcurrentSkipListMap<>();
    private final ArrayDeque<Long> made = new ArrayDeque<>();
    private volatile long oldest;

    /** Creates a past that begins with a state and keeps another one after every {@code interval} events. */
    Past(State beginning, int interval) {
        this.interval = interval;
        this.oldest = beginning.revision();
        log = new Log(beginning.beginning());
        states.put(beginning.revision(), beginning);
    }

    /** All events. */
    Log log() {
        return log;
    }

    /** The oldest revision whose state is available. */
    long oldest() {
        return oldest;
    }

    void append(Event event) {
        log.append(event);
    }

    /** Records the state after the last appended events if the interval has passed. */
    void keep(State state, State before) {
        if (state.sequence() / interval != before.sequence() / interval) {
            states.put(state.revision(), state);
        }
    }

    /** Drops the oldest event; there must be one. */
    Event drop() {
        Event event = log.at(log.first());
        if (event != null) {
            discardBefore(event.revision()); // first, so that a reader that meets the gap in the log sees the reason
        }
        return log.drop();
    }

    /** Drops the states before a revision, whose events were dropped. */
    void discardBefore(long revision) {
        oldest = Math.max(oldest, revision);
        states.headMap(oldest).clear();
    }

    /** Returns the state at a revision before the present one. */
    State at(long revision, State present) {
        while (true) {
            Map.Entry<Long, State> before = states.floorEntry(revision);
            Map.Entry<Long, State> after = states.ceilingEntry(revision);
            long sequence = log.after(revision);
            if (revision < oldest) {
                throw new CompactedException(revision, oldest);
            }
            State nearest = after == null ? present : after.getValue();
            if (before != null && sequence - before.getValue().sequence() < nearest.sequence() - sequence) {
                nearest = before.getValue();
            }
            if (nearest.sequence() == sequence) {
                return nearest;
            }
            PersistentTree<Store.Key, Store.Entry> tree = replay(nearest, sequence);
            if (tree != null) {
                State state = new State(revision, sequence, tree);
                remember(state);
                return state;
            } // else start again: from a younger state, or to find that it is too late
        }
    }

    /**
     * Returns the tree at a position in the log, made from the tree of another state; null when events between were
     * dropped.
     */
    private @Nullable PersistentTree<Store.Key, Store.Entry> replay(State from, long to) {
        PersistentTree<Store.Key, Store.Entry> tree = from.tree();
        boolean forwards = from.sequence() < to;
        long sequence = from.sequence();
        while (sequence != to) {
            Event event = log.at(forwards ? sequence++ : --sequence);
            if (event == null) {
                return null;
            }
            Store.Entry entry = forwards ? event.current() : event.previous();
            tree = entry == null ? tree.remove(event.key()) : tree.put(entry);
        }
        return tree;
    }

    private void remember(State state) {
        synchronized (made) {
            if (states.putIfAbsent(state.revision(), state) == null) {
                made.add(state.revision());
                if (made.size() > REMEMBERED) {
                    states.remove(made.remove());
                }
            }
            if (state.revision() < oldest) { // risen meanwhile
                states.remove(state.revision());
            }
        }
    }

    void validate() {
        log.validate();
        for (State state : states.values()) {
            state.tree().validate();
            if (state.sequence() != log.after(state.revision())) {
                throw new IllegalStateException("the state at revision " + state.revision() + " has a wrong place");
            }
        }
        if (oldest < log.dropped()) {
            throw new IllegalStateException("the oldest revision is " + oldest + ", dropped is " + log.dropped());
        }
    }
}
