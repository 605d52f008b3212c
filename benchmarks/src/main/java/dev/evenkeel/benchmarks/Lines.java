package dev.evenkeel.benchmarks;

import dev.evenkeel.benchmarks.Measurement.Unit;
import java.util.Arrays;
import java.util.OptionalDouble;

/** Where a workload of a suite puts its lines. */
record Lines(String suite, Effort effort, Report report) {
    /** A line with a peer. */
    void both(String workload, Unit unit, double ours, double theirs, String peer) {
        report.add(new Measurement(suite, workload, unit, ours, OptionalDouble.of(theirs), peer));
    }

    /** A line of ours alone. */
    void ours(String workload, Unit unit, double ours) {
        report.add(new Measurement(suite, workload, unit, ours, OptionalDouble.empty(), ""));
    }

    /** Lines of p50, p90, p99 and the longest; nothing of the peer when it has none. Sorts. */
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

    /** What was measured for the same elsewhere: nothing of this run. */
    void elsewhere(String figures) {
        report.elsewhere(figures);
    }

    /** Fails the run: a fast wrong answer is no result. */
    static void check(boolean right, String what) {
        if (!right) {
            throw new IllegalStateException("this should be, and is not: " + what);
        }
    }

    boolean quick() {
        return effort.equals(Effort.QUICK);
    }
}
