package dev.evenkeel.benchmarks;

import dev.evenkeel.benchmarks.Measurement.Unit;
import java.util.Arrays;
import java.util.OptionalDouble;

/** The section of a report for the workloads of one suite. */
record ReportSection(String suite, RunLength length, Report report) {
    void both(String workload, Unit unit, double ours, double theirs, String peer) {
        report.add(new Measurement(suite, workload, unit, ours, OptionalDouble.of(theirs), peer));
    }

    void ours(String workload, Unit unit, double ours) {
        report.add(new Measurement(suite, workload, unit, ours, OptionalDouble.empty(), ""));
    }

    /** Adds a line of the medians of rounds, and prints how far these were apart. */
    void rounds(String workload, Unit unit, Rounds ours, Rounds theirs, String peer) {
        both(workload, unit, ours.median(), theirs.median(), peer);
        report.note("rounds: " + ours.spread() + "; peer: " + theirs.spread());
    }

    /** Adds a line of the median of rounds, and prints how far these were apart. */
    void rounds(String workload, Unit unit, Rounds ours) {
        ours(workload, unit, ours.median());
        report.note("rounds: " + ours.spread());
    }

    /** Adds lines of p50, p90, p99 and the maximum; omits an empty peer. Sorts the arrays. */
    void percentiles(String workload, long[] ours, long[] theirs, String peer) {
        Arrays.sort(ours);
        Arrays.sort(theirs);
        for (int percent : new int[] {50, 90, 99, 100}) {
            String line = workload + (percent == 100 ? ", max" : ", p" + percent);
            double mine = at(ours, percent) / 1e3;
            if (theirs.length == 0) {
                ours(line, Unit.MICROSECONDS, mine);
            } else {
                both(line, Unit.MICROSECONDS, mine, at(theirs, percent) / 1e3, peer);
            }
        }
    }

    static long at(long[] sorted, int percent) {
        return sorted[(int) Math.min(sorted.length - 1, (long) sorted.length * percent / 100)];
    }

    /** Prints what ours guarantees on the line above, and the peer does not: the reason if the peer is faster. */
    void guarantee(String text) {
        report.note("only Evenkeel guarantees: " + text);
    }

    void elsewhere(String figures) {
        report.elsewhere(figures);
    }

    /** Fails the run unless the condition holds: a fast wrong answer does not count. */
    static void check(boolean right, String what) {
        if (!right) {
            throw new IllegalStateException("assertion failed: " + what);
        }
    }

    boolean quick() {
        return length.equals(RunLength.QUICK);
    }
}
