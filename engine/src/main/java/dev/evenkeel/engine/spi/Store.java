package dev.evenkeel.engine.spi;

import java.util.List;
import java.util.Optional;
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
 * </ol>
 *
 * <p>All methods may be called by any thread.
 */
public interface Store extends AutoCloseable {
    /** The revision of the last commit. */
    long revision();

    /**
     * Commits changes in one transaction.
     *
     * @return the revision of the commit, or the first key that was not at its expected revision, with what is there
     * @throws StoreException when the store cannot write; nothing was written then
     */
    Outcome commit(List<Change> changes);

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
     * Watches the changes of a collection after a revision.
     *
     * @param after events have a greater revision; may lie in the future
     * @param onReady called, from any thread, when {@link Watch#poll} may have something new; must not block, and is not
     *     called again before the next poll
     * @throws CompactedException when the history does not reach back so far
     */
    Watch watch(String collection, long after, Runnable onReady);

    /** Forgets history before a revision: snapshots and watches that need it fail from then on. */
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

        /** How many entries a collection has. */
        long count(String collection);
    }

    /** Sees entries of a range. */
    @FunctionalInterface
    interface Visitor {
        /** Whether to go on. */
        boolean visit(Entry entry);
    }

    /** A cursor into the history of one collection. */
    interface Watch extends AutoCloseable {
        /**
         * The next events, in order; empty when there are none now, and then {@code onReady} is called once there are.
         *
         * @throws CompactedException when the cursor fell behind the history
         */
        List<Event> poll(int max);

        /** Whether the store was closed: no more events will come. */
        boolean closed();

        /** Ends the watch. */
        @Override
        void close();
    }
}
