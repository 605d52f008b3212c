package dev.evenkeel.engine.store;

import static java.util.Objects.requireNonNull;

import dev.evenkeel.collection.internal.PersistentTree;
import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.Store;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A store in memory.
 *
 * <p>The problem: many clients read long lists while other clients write, lists continue at the revision they began
 * with, and a thousand watchers see each change, without one of them slowing down another.
 *
 * <p>All entries are in one {@link PersistentTree} that never changes; a commit makes the next one under a short lock
 * and then publishes it. A snapshot is therefore a reference, and readers take no lock. Every change is appended to the
 * log of all events ({@link Past}: the way back to a revision) and to the log of its collection ({@link Channel}: the
 * events that watchers see). A watch is a {@link Cursor} into the latter, or into the former if it is of all
 * collections. Invariants:
 *
 * <ol>
 *   <li>{@link #state} has the greatest revision; all events up to it, and none after it, are visible to watches.
 *       Events are in the logs before their state is published, and cursors stop at the published revision.
 *   <li>Undoing the events after a revision leads from the present tree to the tree of that revision.
 *   <li>The log of a collection holds exactly those events of the log of all events that belong to the collection.
 *   <li>The log of all events holds at most {@link Window#events} events, and except for the youngest, which watchers
 *       are about to read, at most {@link Window#bytes} of objects that were replaced or deleted.
 * </ol>
 *
 * <p>With a tree for each collection, commits across collections and snapshots of all of them would need a second tree;
 * one tree sorted by collection first costs the same and is simpler. A concurrent skip list has no snapshots.
 *
 * <p>Memory, in addition to the value: about 110 bytes for an entry, its key and its name, and 55 for an event while it
 * is in the window. Keys share the strings of their neighbours.
 */
public final class MemoryStore implements Store {
    private static final int CHECKPOINT_INTERVAL = 16_384;

    /** The number of youngest events that keep their memoised values. */
    private static final int YOUNG = 1_024;

    /** The number of youngest events that are kept however large their objects are. */
    private static final int LEAST = 16;

    /**
     * The amount of history that is kept for watches and lists.
     *
     * @param events how many changes of the store at most
     * @param age for how long, to within a thirtieth of it; checked when something is committed
     * @param bytes how many bytes of objects that were replaced or deleted; 16 events are kept whatever their size
     */
    public record Window(int events, Duration age, long bytes) {
        /** 100,000 events, 5 minutes, a sixteenth of the largest heap. */
        public static final Window DEFAULT = new Window(100_000, Duration.ofMinutes(5));

        /** Creates a window; no bound may be negative. */
        public Window {
            if (events < 0 || age.isNegative() || bytes < 0) {
                throw new IllegalArgumentException(
                        "window of " + events + " events, " + age + ", " + bytes + " bytes: must not be negative");
            }
        }

        /** Creates a window with a sixteenth of the largest heap. */
        public Window(int events, Duration age) {
            this(events, age, Runtime.getRuntime().maxMemory() / 16);
        }
    }

    /** The first event at or after a time. */
    private record Mark(long sequence, long millis) {}

    private final Window window;
    private final long age;
    private final InstantSource clock;
    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Channel> channels = new ConcurrentHashMap<>();
    private final ArrayDeque<Mark> marks = new ArrayDeque<>();
    private final Past past;
    private final Channel all;
    private long replaced;
    private volatile long beginning;
    private volatile State state;
    private volatile boolean closed;

    /** Creates a store with the default window, on the system's clock, which wakes watchers on virtual threads. */
    public MemoryStore() {
        this(Window.DEFAULT, InstantSource.system(), Thread::startVirtualThread);
    }

    /**
     * Creates a store.
     *
     * @param window how much history to keep
     * @param clock measures the age of events
     * @param executor wakes watchers; may be {@code Runnable::run}: then a commit returns after all were woken
     */
    public MemoryStore(Window window, InstantSource clock, Executor executor) {
        this(window, clock, executor, CHECKPOINT_INTERVAL);
    }

    /**
     * Creates a store that begins with entries, and without history.
     *
     * @param revision the revision of that state
     * @param entries all entries, each at its revision, in any order
     */
    MemoryStore(Window window, InstantSource clock, Executor executor, long revision, Collection<Entry> entries) {
        this(window, clock, executor, CHECKPOINT_INTERVAL, new State(revision, 0, tree(entries)));
    }

    private static PersistentTree<Key, Entry> tree(Collection<Entry> entries) {
        List<Entry> sorted =
                entries.stream().sorted(Comparator.comparing(Entry::key)).toList();
        return PersistentTree.of(State.ORDER, sorted);
    }

    MemoryStore(Window window, InstantSource clock, Executor executor, int checkpointInterval) {
        this(window, clock, executor, checkpointInterval, new State(State.FIRST, 0, State.NONE));
    }

    private MemoryStore(
            Window window, InstantSource clock, Executor executor, int checkpointInterval, State beginning) {
        this.window = window;
        this.age = window.age().toMillis();
        this.clock = clock;
        this.executor = executor;
        this.beginning = beginning.beginning();
        this.state = beginning;
        this.past = new Past(beginning, checkpointInterval);
        this.all = new Channel("", past.log(), this::revision, executor);
    }

    /** Costs nothing, whatever the size: both stores share the tree. */
    @Override
    public Optional<Store> fork(Context context) {
        State present = state;
        State copy = new State(present.revision(), 0, present.tree());
        return Optional.of(new MemoryStore(window, context.clock(), context.executor(), CHECKPOINT_INTERVAL, copy));
    }

    @Override
    public long revision() {
        return state.revision();
    }

    @Override
    public Outcome commit(List<Change> changes, List<Condition> conditions) {
        List<Channel> touched = new ArrayList<>(changes.size());
        long revision;
        lock.lock();
        try {
            checkOpen();
            State before = state;
            Optional<Conflict> conflict = before.conflict(changes, conditions);
            if (conflict.isPresent()) {
                return conflict.get();
            }
            State after = write(before, before.revision() + 1, changes, touched);
            if (!touched.isEmpty()) {
                publish(before, after);
            }
            revision = state.revision();
        } finally {
            lock.unlock();
        }
        signal(touched);
        return new Committed(revision);
    }

    /**
     * Takes over a commit that was decided, and made durable, elsewhere.
     *
     * @param revision greater than the present one, not necessarily by 1
     * @param changes whose expected revisions are not compared; without any, only the revision advances
     * @throws IllegalArgumentException when the revision is not greater
     */
    void apply(long revision, List<Change> changes) {
        List<Channel> touched = new ArrayList<>(changes.size());
        lock.lock();
        try {
            checkOpen();
            State before = state;
            checkGreater(revision, before);
            publish(before, write(before, revision, changes, touched));
        } finally {
            lock.unlock();
        }
        signal(touched);
    }

    private void signal(List<Channel> touched) {
        touched.forEach(Channel::signal);
        if (!touched.isEmpty()) {
            all.signal();
        }
    }

    /**
     * Replaces the state by a later one, without the history between: all watches end with {@link CompactedException}.
     *
     * @param revision greater than the present one
     * @param entries all entries, each at its revision, in any order
     */
    void reset(long revision, Collection<Entry> entries) {
        lock.lock();
        try {
            checkOpen();
            checkGreater(revision, state);
            beginning = revision; // of collections whose first watch comes later
            state.collections().forEach(this::channel);
            entries.forEach(entry -> channel(entry.key().collection()));
            for (Channel channel : channels.values()) {
                Event gap = new Event(revision, new Key(channel.collection(), "", ""), null, null);
                past.append(gap);
                channel.log().append(gap);
            }
            dropBefore(past.log().end()); // the missing events are found missing by every cursor
            past.discardBefore(revision);
            marks.clear();
            state = new State(revision, past.log().end(), tree(entries));
        } finally {
            lock.unlock();
        }
        channels.values().forEach(Channel::signal);
        all.signal();
    }

    private static void checkGreater(long revision, State present) {
        if (revision <= present.revision()) {
            throw new IllegalArgumentException(
                    "revision must be greater than the present " + present.revision() + ": " + revision);
        }
    }

    /** Appends the events of changes, and returns the state after them. */
    private State write(State before, long revision, List<Change> changes, List<Channel> touched) {
        PersistentTree<Key, Entry> tree = before.tree();
        for (Change change : changes) {
            Entry old = tree.get(change.key());
            if (old == null && change.value() == null) {
                continue;
            }
            Channel channel = channel(change.key().collection());
            Key key = old != null ? old.key() : sharingStrings(change.key(), channel, tree);
            Entry current = change.value() == null ? null : new Entry(key, revision, change.value());
            tree = current == null ? tree.remove(key) : tree.put(current);
            Event event = new Event(revision, key, current, old);
            past.append(event);
            channel.log().append(event);
            replaced += replaced(event);
            touched.add(channel);
        }
        return new State(revision, past.log().end(), tree);
    }

    private void publish(State before, State after) {
        past.keep(after, before);
        state = after;
        prune(before.sequence());
    }

    /** Returns an equal key that shares its strings with other keys. */
    private static Key sharingStrings(Key key, Channel channel, PersistentTree<Key, Entry> tree) {
        Entry nearby = tree.nearby(key);
        String namespace = nearby != null && nearby.key().namespace().equals(key.namespace())
                ? nearby.key().namespace()
                : key.namespace();
        return new Key(channel.collection(), namespace, key.name());
    }

    /** Returns the oldest revision whose state is available. */
    long oldest() {
        return past.oldest();
    }

    void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the store is closed");
        }
    }

    private Channel channel(String collection) {
        return channels.computeIfAbsent(collection, name -> new Channel(name, beginning, this::revision, executor));
    }

    /** Drops the events that leave the window, after events from a sequence number on were appended. */
    private void prune(long appended) {
        long now = clock.millis();
        long grain = age / 30;
        if (marks.isEmpty() || now - marks.getLast().millis() > grain) {
            marks.add(new Mark(appended, now));
        }
        while (marks.size() > 1 && now - marks.getFirst().millis() > age + grain) {
            marks.remove();
            dropBefore(marks.getFirst().sequence());
        }
        Log log = past.log();
        dropBefore(log.end() - window.events());
        while (replaced > window.bytes() && log.size() > LEAST) {
            dropBefore(log.first() + 1);
        }
        for (long sequence = appended; sequence < log.end(); sequence++) {
            Event old = sequence < YOUNG ? null : log.at(sequence - YOUNG);
            if (old != null) {
                old.forget();
            }
        }
    }

    private void dropBefore(long sequence) {
        while (past.log().first() < sequence) {
            Event event = past.drop();
            replaced -= replaced(event);
            Event same = channel(event.key().collection()).log().drop();
            if (same != event) {
                throw new IllegalStateException("the logs differ: " + event + ", " + same);
            }
        }
    }

    /** Returns the size of the object that only the history has, because of an event. */
    private static long replaced(Event event) {
        Entry previous = event.previous();
        return previous == null ? 0 : previous.value().bytes().length;
    }

    @Override
    public Snapshot snapshot() {
        return state;
    }

    @Override
    public Snapshot snapshot(long revision) {
        State present = state;
        checkNotFuture(revision, present);
        return revision == present.revision() ? present : past.at(revision, present);
    }

    private static void checkNotFuture(long revision, State present) {
        if (revision > present.revision()) {
            throw new IllegalArgumentException(
                    "revision " + revision + " lies in the future: the present one is " + present.revision());
        }
    }

    @Override
    public Watch watch(Range range, long after, Runnable onReady) {
        Channel channel = range.collection().isEmpty() ? all : channel(range.collection());
        Cursor cursor = new Cursor(channel, range, after, onReady, () -> closed);
        if (after < channel.log().dropped()) {
            throw new CompactedException(after, channel.log().dropped());
        }
        channel.add(cursor);
        if (closed) {
            channel.remove(cursor);
            checkOpen();
        }
        if (after < beginning) { // reset meanwhile
            channel.remove(cursor);
            throw new CompactedException(after, beginning);
        }
        channel.begin(cursor);
        return cursor;
    }

    @Override
    public void compact(long revision) {
        lock.lock();
        try {
            checkNotFuture(revision, state);
            dropBefore(past.log().after(revision));
            past.discardBefore(revision);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            lock.unlock();
        }
        channels.values().forEach(Channel::end);
        all.end();
    }

    /** Throws when an invariant does not hold. */
    void validate() {
        lock.lock();
        try {
            past.validate();
            state.tree().validate();
            channels.values().forEach(Channel::validate);
            all.validate();
            Log log = past.log();
            long all = log.size();
            long events = channels.values().stream()
                    .mapToLong(channel -> channel.log().size())
                    .sum();
            if (events != all || all > window.events()) {
                throw new IllegalStateException(
                        all + " events of all, " + events + " of collections, window of " + window.events());
            }
            long bytes = 0;
            for (long sequence = log.first(); sequence < log.end(); sequence++) {
                bytes += replaced(requireNonNull(log.at(sequence)));
            }
            if (bytes != replaced || (bytes > window.bytes() && all > LEAST)) {
                throw new IllegalStateException(
                        bytes + " bytes, counted " + replaced + ", window of " + window.bytes());
            }
            if (state.sequence() != log.end()) {
                throw new IllegalStateException("the present state is not at the end of the log");
            }
        } finally {
            lock.unlock();
        }
    }
}
