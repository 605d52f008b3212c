package dev.evenkeel.engine.spi;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where an engine keeps its objects: revisioned keys, compare-and-commit, snapshots, watches.
 *
 * <p>Contract, which {@code StoreCompatibilityKit} states as tests:
 *
 * <ol>
 *   <li>There is one revision for the whole store. It starts at 1 and every commit that changes something makes it grow;
 *       all changes of one commit have the commit's revision.
 *   <li>A commit is all or nothing. It succeeds exactly if every key is at its expected revision.
 *   <li>What a commit returned is visible to every later {@link #snapshot()} and to every watch.
 *   <li>A snapshot never changes, and taking the current one costs nothing.
 *   <li>A watch gives every change after its start, once, in the order of revisions, until it falls behind the history
 *       that the store keeps: then {@link CompactedException}.
 *   <li>Snapshots and watches agree: who has polled an event finds it in every later {@link #snapshot()}; and after an
 *       empty poll there is no event up to the {@link #revision()} that was read before the poll.
 * </ol>
 *
 * <p>All methods may be called by any thread.
 */
public interface Store extends AutoCloseable {
    /** The revision of the last commit that changed something. */
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
     * Commits changes in one transaction. Changes that change nothing (the deletion of a key that is expected to be absent)
     * are only conditions; a commit of nothing else leaves the revision as it is.
     *
     * @param changes at most one for each key
     * @param conditions on keys that stay as they are, none of them changed
     * @return the revision of the commit, or the first key that was not at its expected revision, with what is there
     * @throws StoreException when the store cannot write; nothing was written then
     * @throws IllegalArgumentException when two of all these have the same key
     */
    Outcome commit(List<Change> changes, List<Condition> conditions);

    /** The present state: at least as new as every commit that returned before the call. */
    Snapshot snapshot();

    /**
     * The state right after the commit of a revision.
     *
     * @throws CompactedException when the history does not reach back so far
     * @throws IllegalArgumentException when the revision lies in the future
     */
    Snapshot snapshot(long revision);

    /**
     * Watches the changes of keys after a revision.
     *
     * @param after events have a greater revision; may lie in the future
     * @param onReady called, from any thread, when {@link Watch#poll} may have something new or the store was closed, also
     *     for what had happened before the watch began, and then perhaps before this method returns; must not block; is called
     *     once for each poll that came back empty, but a call may be on its way during a poll
     * @throws CompactedException when the history of these keys does not reach back so far
     */
    Watch watch(Range range, long after, Runnable onReady);

    /** Watches all changes of a collection after a revision. */
    default Watch watch(String collection, long after, Runnable onReady) {
        return watch(Range.of(collection), after, onReady);
    }

    /**
     * Forgets history before a revision: snapshots of earlier revisions, and watches that start earlier and need it, fail
     * from then on. Snapshots already taken stay.
     *
     * @throws IllegalArgumentException when the revision lies in the future
     */
    void compact(long revision);

    /** Ends all watches and releases what the store holds. */
    @Override
    void close();

    /**
     * One change of a commit.
     *
     * @param key what to change
     * @param expectedRevision the revision of the object there; 0 when there must be none
     * @param value what to write; null to delete
     */
    record Change(Key key, long expectedRevision, @Nullable Value value) {}

    /**
     * What must be so for a commit, and stays so.
     *
     * @param key of what
     * @param expectedRevision the revision of the object there; 0 when there must be none
     */
    record Condition(Key key, long expectedRevision) {}

    /** How a commit ended. */
    sealed interface Outcome {}

    /**
     * All changes are in.
     *
     * @param revision of the commit
     */
    record Committed(long revision) implements Outcome {}

    /**
     * Nothing was changed: a key was not at its expected revision.
     *
     * @param key the first such key
     * @param actual what is there
     */
    record Conflict(Key key, Optional<Entry> actual) implements Outcome {}

    /** A state of the store that does not change. */
    interface Snapshot {
        /** The revision whose state this is. */
        long revision();

        /** The object at a key. */
        @Nullable
        Entry get(Key key);

        /**
         * Entries of a collection in the order of their keys.
         *
         * @param namespace only of this namespace; empty for all
         * @param from the first key that may be returned, inclusive; null to start at the beginning
         * @param visitor returns whether to go on
         */
        void range(String collection, String namespace, @Nullable Key from, Visitor visitor);

        /**
         * How many entries {@link #range} would visit, without visiting them.
         *
         * @param namespace only of this namespace; empty for all
         * @param from the first key that is counted, inclusive; null to start at the beginning
         */
        long count(String collection, String namespace, @Nullable Key from);

        /** How many entries a collection has. */
        default long count(String collection) {
            return count(collection, "", null);
        }
    }

    /** Sees entries of a range. */
    @FunctionalInterface
    interface Visitor {
        /** Whether to go on. */
        boolean visit(Entry entry);
    }

    /** A cursor into the history. */
    interface Watch extends AutoCloseable {
        /**
         * The next events, in order; empty when there are none now, and then {@code onReady} is called once there are.
         *
         * @param max how many to return at most; exceeded only to return the events of one commit together
         * @throws CompactedException when the cursor fell behind the history
         */
        List<Event> poll(int max);

        /** Whether the watch or the store was closed: what can still be polled is the end. */
        boolean closed();

        /** Ends the watch. */
        @Override
        void close();
    }

    /**
     * What a store keeps under a key: the encoded object, and what the engine read off it once.
     *
     * <p>A store that writes bytes elsewhere keeps only {@link #bytes()} and makes the value anew with the engine's decoder.
     */
    interface Value {
        /** The encoded object, without its resourceVersion. Must not be changed. */
        byte[] bytes();
    }

    /**
     * Where an object is stored.
     *
     * @param collection the partition and resource, such as {@code default/deployments.apps}: what lists and watches range
     *     over
     * @param namespace namespace; empty for cluster-scoped objects
     * @param name name
     */
    record Key(String collection, String namespace, String name) implements Comparable<Key> {
        /** By collection, then namespace, then name, each by code points: the order of their UTF-8 bytes. */
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
     * An object at a revision.
     *
     * @param key where it is
     * @param revision of the commit that wrote it
     * @param value the object
     */
    record Entry(Key key, long revision, Value value) {}

    /**
     * What a watch ranges over: a collection, one of its namespaces, or one key.
     *
     * @param collection collection
     * @param namespace namespace; empty for all, and for keys without a namespace
     * @param name name; empty for all
     */
    record Range(String collection, String namespace, String name) {
        /** All keys of a collection. */
        public static Range of(String collection) {
            return new Range(collection, "", "");
        }

        /** The keys of a collection in a namespace; the empty namespace stands for all. */
        public static Range of(String collection, String namespace) {
            return new Range(collection, namespace, "");
        }

        /** One key. */
        public static Range of(Key key) {
            return new Range(key.collection(), key.namespace(), key.name());
        }

        /** Whether a key lies in it. */
        public boolean includes(Key key) {
            return (name.isEmpty() || name.equals(key.name()))
                    && (namespace.equals(key.namespace()) || (namespace.isEmpty() && name.isEmpty()))
                    && collection.equals(key.collection());
        }
    }

    /**
     * A change of one key, shared by all who watch.
     *
     * <p>Since all watchers get the same instance, what one of them makes of it (its encoding, say) can be kept here for the
     * others: {@link #memo}. It stays while the event is young.
     */
    final class Event {
        private final long revision;
        private final Key key;
        private final @Nullable Entry current;
        private final @Nullable Entry previous;
        private volatile @Nullable ConcurrentHashMap<Object, Object> memos;

        /** A change of the entry at a key; null stands for no entry. */
        public Event(long revision, Key key, @Nullable Entry current, @Nullable Entry previous) {
            this.revision = revision;
            this.key = key;
            this.current = current;
            this.previous = previous;
        }

        /** Revision of the commit. */
        public long revision() {
            return revision;
        }

        /** What changed. */
        public Key key() {
            return key;
        }

        /** What is there now; null when it was deleted. */
        public @Nullable Entry current() {
            return current;
        }

        /** What was there before; null when it was created. */
        public @Nullable Entry previous() {
            return previous;
        }

        /** What was made of this event under a name before, or else makes and keeps it for a while. */
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

        /** Drops what is kept under names. Stores call this for events that those who keep up have seen. */
        public void forget() {
            memos = null;
        }

        @Override
        public String toString() {
            String verb = current == null ? "DELETE" : previous == null ? "CREATE" : "UPDATE";
            return verb + " " + key + " @" + revision;
        }
    }
}
