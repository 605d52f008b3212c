package dev.evenkeel.engine.store;

import dev.evenkeel.engine.spi.Store;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A store that writes commits elsewhere, and answers reads and watches from memory.
 *
 * <p>A subclass reads its data before it calls the constructor. Its {@code commit} calls {@link #requireOpen}, compares
 * with {@link Store.Snapshot#conflict}, makes the commit durable, and then {@link #publish publishes} it; one at a time, or
 * several in one durable transaction, but published in the order of their revisions.
 */
public abstract class DurableStore implements Store {
    private final MemoryStore memory;

    /**
     * Begins with the entries that are stored, at a revision; {@link #publish} adds the retained history after it, if any.
     *
     * @param window how much history to keep in memory
     * @param context the services of the engine
     * @param revision the revision of the entries; 1 when nothing was committed yet
     * @param entries all entries, each at its revision, in any order
     */
    protected DurableStore(MemoryStore.Window window, Context context, long revision, Collection<Entry> entries) {
        memory = new MemoryStore(window, context.clock(), context.executor(), revision, entries);
    }

    /**
     * Makes a durable commit visible to snapshots and watches.
     *
     * @param revision greater than the present one, not necessarily by 1
     * @param changes whose expected revisions are not compared; without any, only the revision advances
     * @throws IllegalArgumentException when the revision is not greater
     */
    protected final void publish(long revision, List<Change> changes) {
        memory.apply(revision, changes);
    }

    /**
     * Replaces the state by a later one whose commits cannot be read any more. All watches end with {@link
     * dev.evenkeel.engine.spi.CompactedException}.
     *
     * @param revision greater than the present one
     * @param entries all entries, each at its revision, in any order
     */
    protected final void reset(long revision, Collection<Entry> entries) {
        memory.reset(revision, entries);
    }

    /** Returns the oldest revision whose state is in memory: earlier history can be forgotten where it is stored, too. */
    protected final long oldest() {
        return memory.oldest();
    }

    /**
     * Checks that the store is open.
     *
     * @throws IllegalStateException when it is closed
     */
    protected final void requireOpen() {
        memory.checkOpen();
    }

    /** Returns a store in memory. */
    @Override
    public Optional<Store> fork(Context context) {
        return memory.fork(context);
    }

    @Override
    public long revision() {
        return memory.revision();
    }

    @Override
    public Snapshot snapshot() {
        return memory.snapshot();
    }

    @Override
    public Snapshot snapshot(long revision) {
        return memory.snapshot(revision);
    }

    @Override
    public Watch watch(Range range, long after, Runnable onReady) {
        return memory.watch(range, after, onReady);
    }

    /** Forgets history in memory; a subclass that stores history overrides this to forget it there, too. */
    @Override
    public void compact(long revision) {
        memory.compact(revision);
    }

    /** Ends all watches; a subclass waits for the commit under way, and releases what it holds. */
    @Override
    public void close() {
        memory.close();
    }
}
