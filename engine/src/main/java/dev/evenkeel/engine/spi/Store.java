package dev.evenkeel.engine.spi;

import dev.evenkeel.client.Encoded;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The store of an engine's objects: revisioned keys, compare-and-commit, snapshots, watches.
 *
 * <p>Contract, which {@code StoreCompatibilityKit} states as tests:
 *
 * <ol>
 *   <li>There is one revision for the whole store. It starts at 1 and grows with every commit that changes something;
 *       all changes of one commit have the commit's revision.
 *   <li>A commit is all or nothing. It succeeds exactly if every key is at its expected revision.
 *   <li>A commit that has returned is visible to every later {@link #snapshot()} and to every watch of this store.
 *   <li>A snapshot never changes, and taking the current one costs nothing.
 *   <li>A watch gives every change after its start, once, in the order of revisions, until it falls behind the history
 *       that the store keeps: then {@link CompactedException}.
 *   <li>Snapshots and watches agree: an event that was polled is included in every later {@link #snapshot()}; and after
 *       an empty poll there is no event up to the {@link #revision()} that was read before the poll.
 * </ol>
 *
 * <p>All methods may be called by any thread.
 */
public interface Store extends AutoCloseable {
    /** Returns the revision of the last commit that changed something. */
    long revision();

    /**
     * Commits changes in one transaction, without conditions on other keys.
     *
     * @see #commit(List, List)
     */
    default Outcome commit(List<Change> changes) {
        return commit(changes, List.of());
    }

    /**
     * Commits changes in one transaction. Changes that change nothing (the deletion of a key that is expected to be
     * absent) are only conditions; a commit of nothing else leaves the revision as it is.
     *
     * @param changes at most one for each key
     * @param conditions on keys that stay as they are, none of them changed
     * @return the revision of the commit, or the first key that was not at its expected revision, with its actual entry
     * @throws StoreException when the store cannot write; nothing was written then, unless it says that this is unknown
     * @throws IllegalArgumentException when two of all these have the same key
     */
    Outcome commit(List<Change> changes, List<Condition> conditions);

    /**
     * Returns the first key that is not at its expected revision; empty when the commit may be made on a state.
     *
     * @param state returns the entry at a key, or null
     * @throws IllegalArgumentException when a key occurs twice
     */
    static Optional<Conflict> conflict(
            Function<Key, @Nullable Entry> state, List<Change> changes, List<Condition> conditions) {
        if (changes.size() + conditions.size() > 1) {
            Set<Key> keys = new HashSet<>();
            for (Change change : changes) {
                if (!keys.add(change.key())) {
                    throw new IllegalArgumentException(change.key() + " is changed twice in one commit");
                }
            }
            for (Condition condition : conditions) {
                if (!keys.add(condition.key())) {
                    throw new IllegalArgumentException(condition.key() + " occurs twice in one commit");
                }
            }
        }
        for (Change change : changes) {
            Entry actual = state.apply(change.key());
            if ((actual == null ? 0 : actual.revision()) != change.expectedRevision()) {
                return Optional.of(new Conflict(change.key(), Optional.ofNullable(actual)));
            }
        }
        for (Condition condition : conditions) {
            Entry actual = state.apply(condition.key());
            if ((actual == null ? 0 : actual.revision()) != condition.expectedRevision()) {
                return Optional.of(new Conflict(condition.key(), Optional.ofNullable(actual)));
            }
        }
        return Optional.empty();
    }

    /** Returns the present state: at least as new as every commit of this store that returned before the call. */
    Snapshot snapshot();

    /**
     * Returns true if other engines may write to the same data, each through a store of its own. Then {@link #snapshot}
     * may lack their last commits, while {@link #latest} has them; and no two engines see them in a different order.
     */
    default boolean shared() {
        return false;
    }

    /**
     * Returns a state that is at least as new as every commit, of any engine, that returned before the call. May block
     * until it is here; {@link #snapshot} has it then, too.
     *
     * @throws StoreException when it cannot be known now
     */
    default Snapshot latest() {
        return snapshot();
    }

    /** Returns why the store cannot be used fully now; empty when it can. Does not block. */
    default Optional<Outage> outage() {
        return Optional.empty();
    }

    /**
     * A time in which the data cannot be reached: nothing can be written, and {@link #snapshot} may be as old as its begin.
     *
     * @param since when the data was reached for the last time
     * @param problem what is wrong, and what to do about it
     */
    record Outage(Instant since, String problem) {}

    /**
     * Returns the state right after the commit of a revision.
     *
     * @throws CompactedException when the history does not reach back so far
     * @throws IllegalArgumentException when the revision lies in the future
     */
    Snapshot snapshot(long revision);

    /**
     * Watches the changes of keys after a revision.
     *
     * @param after events have a greater revision; may lie in the future
     * @param onReady called, from any thread, when {@link Watch#poll} may have something new or the store was closed.
     *     This includes events from before the call of this method, and the call may occur before this method returns.
     *     Must not block. It is called once for each poll that returned nothing, but a call may be under way during a
     *     poll
     * @throws CompactedException when the history of these keys does not reach back so far
     */
    Watch watch(Range range, long after, Runnable onReady);

    /** Watches all changes of a collection after a revision. */
    default Watch watch(String collection, long after, Runnable onReady) {
        return watch(Range.of(collection), after, onReady);
    }

    /**
     * Forgets history before a revision: snapshots of earlier revisions, and watches that start earlier and need it,
     * fail from then on. Snapshots already taken remain valid.
     *
     * @throws IllegalArgumentException when the revision lies in the future
     */
    void compact(long revision);

    /**
     * Returns another store that holds what this one holds now, at the same revision, without history; neither sees later
     * commits of the other. Empty, which is the default, when this store cannot do that at almost no cost.
     *
     * @param context services of the engine that the fork is for
     */
    default Optional<Store> fork(Context context) {
        return Optional.empty();
    }

    /** Ends all watches and releases what the store holds, after a commit that is under way. */
    @Override
    void close();

    /** Opens the store of an engine. */
    @FunctionalInterface
    interface Factory {
        /**
         * Returns a store, which the engine closes.
         *
         * @throws StoreException when the data cannot be opened, such as a damaged file or one of a newer format
         */
        Store open(Context context);
    }

    /**
     * The services of an engine for its store.
     *
     * @param codec makes values of stored bytes
     * @param clock the time, for the age of history
     * @param executor wakes watchers
     */
    record Context(Codec codec, InstantSource clock, Executor executor) {}

    /** Makes values of stored bytes. Safe for use by many threads. */
    @FunctionalInterface
    interface Codec {
        /**
         * Returns the value whose {@link Value#bytes() bytes} were stored at a key. Reads the metadata only: whether the rest is
         * as it was written is for the store to know, such as by a checksum.
         *
         * @param bytes become part of the value; must not be changed afterwards
         * @throws IllegalArgumentException when the bytes are not an encoded object
         */
        Value decode(Key key, byte[] bytes);
    }

    /**
     * The key of a stored object.
     *
     * @param collection the partition and resource, such as {@code default/deployments.apps}: the scope of lists and
     *     watches
     * @param namespace namespace; empty for cluster-scoped objects
     * @param name name
     */
    record Key(String collection, String namespace, String name) implements Comparable<Key> {
        /** Compares by collection, then namespace, then name, each by code points: the order of their UTF-8 bytes. */
        @Override
        public int compareTo(Key other) {
            int result = compare(collection, other.collection);
            if (result == 0) {
                result = compare(namespace, other.namespace);
            }
            return result != 0 ? result : compare(name, other.name);
        }

        /**
         * Compares by code points. {@link String#compareTo} compares UTF-16 units, which sorts the code points above U+FFFF
         * (as pairs from U+D800 on) before those from U+E000 to U+FFFF.
         */
        @SuppressWarnings("ReferenceEquality") // only a shortcut: stores share the strings of neighbours
        private static int compare(String a, String b) {
            if (a == b) {
                return 0;
            }
            int length = Math.min(a.length(), b.length());
            for (int i = 0; i < length; i++) {
                char x = a.charAt(i);
                char y = b.charAt(i);
                if (x != y) {
                    return Character.isSurrogate(x) == Character.isSurrogate(y)
                                    || Math.min(x, y) < Character.MIN_SURROGATE
                            ? x - y
                            : y - x;
                }
            }
            return a.length() - b.length();
        }
    }

    /**
     * An encoded object, and the facts that the engine reads of it again and again.
     *
     * <p>The defaults parse the encoding at each call. The engine's own values, which commits contain and a {@link Codec}
     * returns, have the facts at hand; a store keeps these in memory.
     */
    @FunctionalInterface
    interface Value {
        /** The encoded object, without its resourceVersion. Must not be changed. */
        byte[] bytes();

        /** The identity and metadata of the object. */
        default Encoded.Header header() {
            return Encoded.Header.of(bytes());
        }

        /** The labels. */
        default Map<String, String> labels() {
            return header().labels();
        }

        /** The uids of the owners, in the order of the owner references. */
        default List<String> ownerUids() {
            return header().owners().stream().map(Encoded.Header.Owner::uid).toList();
        }

        /** Returns true if the object is marked for deletion. */
        default boolean deleting() {
            return header().deleted();
        }

        /** Returns true if the object has finalizers. */
        default boolean hasFinalizers() {
            return !header().finalizers().isEmpty();
        }

        /**
         * Returns true if the encoding is known to be that of a version of a type, as the engine defines it now. It is copied
         * then; otherwise the object is parsed and converted.
         */
        default boolean isEncodedFor(Object version) {
            return false;
        }
    }

    /**
     * An object at a revision.
     *
     * @param key the key of the object
     * @param revision of the commit that wrote it
     * @param value the object
     */
    record Entry(Key key, long revision, Value value) {}

    /**
     * One change of a commit.
     *
     * @param key the key
     * @param expectedRevision the revision of its object; 0 when there must be none
     * @param value the value to write; null to delete
     */
    record Change(Key key, long expectedRevision, @Nullable Value value) {}

    /**
     * A condition of a commit, on a key that the commit does not change.
     *
     * @param key the key
     * @param expectedRevision the revision of the object; 0 when there must be none
     */
    record Condition(Key key, long expectedRevision) {}

    /** The outcome of a commit. */
    sealed interface Outcome {}

    /**
     * All changes were written.
     *
     * @param revision of the commit
     */
    record Committed(long revision) implements Outcome {}

    /**
     * Nothing was changed: a key was not at its expected revision.
     *
     * @param key the first such key
     * @param actual the entry at the key
     */
    record Conflict(Key key, Optional<Entry> actual) implements Outcome {}

    /** A state of the store that does not change. */
    interface Snapshot {
        /** The revision of this state. */
        long revision();

        /** Returns the object at a key; null when there is none. */
        @Nullable
        Entry get(Key key);

        /**
         * Visits entries of a collection in the order of their keys.
         *
         * @param namespace only of this namespace; empty for all
         * @param from the first key that may be visited, inclusive; null to start at the beginning
         * @param visitor returns false to stop
         */
        void range(String collection, String namespace, @Nullable Key from, Visitor visitor);

        /**
         * Counts the entries that {@link #range} would visit, without visiting them.
         *
         * @param namespace only of this namespace; empty for all
         * @param from the first key that is counted, inclusive; null to start at the beginning
         */
        long count(String collection, String namespace, @Nullable Key from);

        /**
         * Returns the first key that is not at its expected revision; empty when the commit may be made on this state.
         *
         * @throws IllegalArgumentException when a key occurs twice
         */
        default Optional<Conflict> conflict(List<Change> changes, List<Condition> conditions) {
            return Store.conflict(this::get, changes, conditions);
        }

        /** Returns the collections that have entries, in order. */
        List<String> collections();

        /** Counts the entries of a collection. */
        default long count(String collection) {
            return count(collection, "", null);
        }
    }

    /** Visits entries of a range. */
    @FunctionalInterface
    interface Visitor {
        /** Visits an entry; returns false to stop. */
        boolean visit(Entry entry);
    }

    /**
     * The range of a watch: all collections, one collection, one of its namespaces, or one key.
     *
     * @param collection collection; empty for all, and then the others are empty, too
     * @param namespace namespace; empty for all, and for keys without a namespace
     * @param name name; empty for all
     */
    record Range(String collection, String namespace, String name) {
        /** All keys of all collections. */
        public static final Range ALL = new Range("", "", "");

        /** Creates a range; only a collection has namespaces and names. */
        public Range {
            if (collection.isEmpty() && !(namespace.isEmpty() && name.isEmpty())) {
                throw new IllegalArgumentException(
                        "a range with a namespace or name needs a collection: " + namespace + "/" + name);
            }
        }

        /** Returns the range of all keys of a collection. */
        public static Range of(String collection) {
            return new Range(collection, "", "");
        }

        /** Returns the range of the keys of a collection in a namespace; the empty namespace stands for all. */
        public static Range of(String collection, String namespace) {
            return new Range(collection, namespace, "");
        }

        /** Returns the range of one key. */
        public static Range of(Key key) {
            return new Range(key.collection(), key.namespace(), key.name());
        }

        /** Returns true if the range contains a key. */
        public boolean includes(Key key) {
            return (name.isEmpty() || name.equals(key.name()))
                    && (namespace.equals(key.namespace()) || (namespace.isEmpty() && name.isEmpty()))
                    && (collection.isEmpty() || collection.equals(key.collection()));
        }
    }

    /**
     * A change of one key, shared by all watchers.
     *
     * <p>Since all watchers receive the same instance, it can memoise what one of them derives from it, such as its
     * encoding, for the other watchers: {@link #memo}. Memoised values are kept while the event is young.
     */
    final class Event {
        private final long revision;
        private final Key key;
        private final @Nullable Entry current;
        private final @Nullable Entry previous;
        private volatile @Nullable ConcurrentHashMap<Object, Object> memos;

        /** Creates the change of the entry at a key; null stands for no entry. */
        public Event(long revision, Key key, @Nullable Entry current, @Nullable Entry previous) {
            this.revision = revision;
            this.key = key;
            this.current = current;
            this.previous = previous;
        }

        /** Returns the revision of the commit. */
        public long revision() {
            return revision;
        }

        /** Returns the key that changed. */
        public Key key() {
            return key;
        }

        /** Returns the entry after the change; null when it was deleted. */
        public @Nullable Entry current() {
            return current;
        }

        /** Returns the entry before the change; null when it was created. */
        public @Nullable Entry previous() {
            return previous;
        }

        /** Returns the value memoised under a name, computing and memoising it if absent. */
        @SuppressWarnings("unchecked")
        public <T> T memo(Object name, Supplier<T> maker) {
            ConcurrentHashMap<Object, Object> map = memos;
            if (map == null) {
                synchronized (this) {
                    map = memos;
                    if (map == null) {
                        map = new ConcurrentHashMap<>(2);
                        memos = map;
                    }
                }
            }
            return (T) map.computeIfAbsent(name, n -> maker.get());
        }

        /** Drops all memoised values. Stores call this for events that watchers which keep up have seen. */
        public void forget() {
            memos = null;
        }

        @Override
        public String toString() {
            String verb = current == null ? "DELETE" : previous == null ? "CREATE" : "UPDATE";
            return verb + " " + key + " @" + revision;
        }
    }

    /** A cursor into the history. */
    interface Watch extends AutoCloseable {
        /**
         * Returns the next events, in order; empty when there are none now, and then {@code onReady} is called once
         * there are.
         *
         * @param max how many to return at most; exceeded only to return the events of one commit together
         * @throws CompactedException when the cursor fell behind the history
         */
        List<Event> poll(int max);

        /** Returns true once the watch or the store is closed: no events follow those that can still be polled. */
        boolean closed();

        /** Ends the watch. */
        @Override
        void close();
    }
}
