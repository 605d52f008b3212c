package dev.evenkeel.check.internal.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The events of a run, in their order: the first ones and the last ones, if there are too many. */
public final class RunLog {
    private static final int FIRST = 4_000;
    private static final int LAST = 1_000;
    private static final int LONGEST = 300;

    /** The source of an entry. */
    public enum Lane {
        /** The user, and the check itself. */
        USER,
        /** A fault. */
        FAULT,
        /** A request that reads. */
        READ,
        /** A request that writes. */
        WRITE,
        /** The start and the end of a process. */
        PROCESS,
        /** A line that a process prints. */
        OUTPUT
    }

    /**
     * An entry.
     *
     * @param nanos the time since the begin of the run
     * @param process the number of the process; 0 for none
     */
    public record Entry(long nanos, Lane lane, int process, String text) {}

    private final long begin = System.nanoTime();
    private final List<Entry> first = new ArrayList<>();
    private final Deque<Entry> last = new ArrayDeque<>();
    private long omitted;

    synchronized void add(Lane lane, int process, String text) {
        Entry entry = new Entry(
                System.nanoTime() - begin, lane, process, text.substring(0, Math.min(LONGEST, text.length())));
        if (first.size() < FIRST) {
            first.add(entry);
            return;
        }
        last.add(entry);
        if (last.size() > LAST) {
            last.remove();
            omitted++;
        }
    }

    /** Returns the entries so far; one stands for those that were left out. */
    public synchronized List<Entry> entries() {
        List<Entry> all = new ArrayList<>(first);
        if (omitted > 0) {
            all.add(new Entry(last.getFirst().nanos(), Lane.USER, 0, omitted + " entries are left out"));
        }
        all.addAll(last);
        return all;
    }

    /** Returns the time since the begin of the run. */
    long elapsed() {
        return System.nanoTime() - begin;
    }
}
