package dev.evenkeel.soak.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The operations of one round, as clients saw them. Times are of {@link System#nanoTime}. Safe for use by many threads
 * while it is recorded; read afterwards.
 */
final class History {
    /** The revision of a write whose answer does not contain it, as that of a deletion. */
    static final long NOT_TOLD = 0;

    /** The revision of a write without an answer: it may have been made. */
    static final long UNKNOWN = -1;

    /** The revision of a write that was refused, since its key was not at the expected revision. */
    static final long REFUSED = -2;

    /**
     * A key's value.
     *
     * @param value the value; empty when the key was deleted
     */
    record Version(long revision, String value) {}

    /**
     * A write.
     *
     * @param expected the revision that it replaces; 0 for a creation
     * @param value the new value; empty for a deletion
     * @param revision of the write, {@link #NOT_TOLD}, {@link #UNKNOWN} or {@link #REFUSED}
     */
    record Write(long begin, long end, String key, long expected, String value, long revision) {
        /** Returns true when the client knows that it was made. */
        boolean acknowledged() {
            return revision >= NOT_TOLD;
        }
    }

    /**
     * The knowledge of all clients.
     *
     * @param revision the greatest revision that one of them saw
     * @param replaced acknowledged deletions and refused writes: since them the key is not at the expected revision
     */
    record Known(long revision, List<Write> replaced) {}

    /** A consistent list of all keys. */
    record Listed(long begin, long end, long revision, Map<String, Version> contents) {}

    /**
     * A consistent read of one key.
     *
     * @param found its version; revision 0 and empty when there was none
     */
    record Got(long begin, long end, String key, Version found) {}

    /** A change that a watch delivered. */
    record Change(String key, Version version) {}

    /**
     * A watch, resumed as often as it broke.
     *
     * @param after the revision that it began after
     * @param until the revision up to which it saw everything
     * @param changes in the order of their delivery
     */
    record Watched(long after, long until, List<Change> changes) {}

    private final long base;
    private final Map<String, Version> before;
    private final List<Write> writes = new ArrayList<>();
    private final List<Listed> lists = new ArrayList<>();
    private final List<Got> reads = new ArrayList<>();
    private final List<Watched> watches = new ArrayList<>();
    private long seen;

    /** Begins a round at a revision, with the values of all keys. */
    History(long base, Map<String, Version> before) {
        this(base, before, List.of());
    }

    /** Begins a round after another one, of whose unanswered writes some may still be made. */
    History(long base, Map<String, Version> before, List<Write> unanswered) {
        this.base = base;
        this.before = new TreeMap<>(before);
        seen = base;
        writes.addAll(unanswered);
    }

    synchronized void add(Write write) {
        writes.add(write);
        saw(write.revision());
    }

    synchronized void add(Listed list) {
        lists.add(list);
        saw(list.revision());
    }

    synchronized void add(Got read) {
        reads.add(read);
        saw(read.found().revision());
    }

    /** A client saw a revision. */
    synchronized void saw(long revision) {
        seen = Math.max(seen, revision);
    }

    synchronized void add(Watched watch) {
        watches.add(watch);
    }

    long base() {
        return base;
    }

    Map<String, Version> before() {
        return before;
    }

    List<Write> writes() {
        return writes;
    }

    List<Listed> lists() {
        return lists;
    }

    List<Got> reads() {
        return reads;
    }

    List<Watched> watches() {
        return watches;
    }

    /** Returns the writes of this round that were not answered. */
    synchronized List<Write> unanswered() {
        return writes.stream().filter(write -> write.revision() == UNKNOWN).toList();
    }

    /** Returns the number of writes that were acknowledged. */
    synchronized long acknowledged() {
        return writes.stream().filter(Write::acknowledged).count();
    }

    /** Returns what clients know at this moment. */
    synchronized Known known() {
        return new Known(
                seen,
                writes.stream()
                        .filter(write -> write.revision() == NOT_TOLD || write.revision() == REFUSED)
                        .toList());
    }

    /** Returns all, a line for each operation. */
    synchronized List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("begin at revision " + base + ": " + before);
        writes.forEach(write -> lines.add(write.toString()));
        reads.forEach(read -> lines.add(read.toString()));
        lists.forEach(list -> lines.add(list.toString()));
        watches.forEach(watch -> {
            lines.add("watch after " + watch.after() + " until " + watch.until());
            watch.changes().forEach(change -> lines.add("    " + change));
        });
        return lines;
    }
}
