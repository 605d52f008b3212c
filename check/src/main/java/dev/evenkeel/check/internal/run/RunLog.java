package dev.evenkeel.check.internal.run;

import java.util.ArrayList;
import java.util.List;

/** The events of a run, in their order. */
public final class RunLog {
    private static final int MOST = 5_000;
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
    private final List<Entry> entries = new ArrayList<>();

    synchronized void add(Lane lane, int process, String text) {
        if (entries.size() < MOST) {
            entries.add(new Entry(
                    System.nanoTime() - begin, lane, process, text.substring(0, Math.min(LONGEST, text.length()))));
        }
    }

    /** Returns the entries so far. */
    public synchronized List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** Returns the time since the begin of the run. */
    long elapsed() {
        return System.nanoTime() - begin;
    }
}
