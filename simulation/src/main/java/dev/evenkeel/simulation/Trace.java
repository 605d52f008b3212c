package dev.evenkeel.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The trace of a run: its last lines, and a hash of all. */
final class Trace {
    private record Line(long at, String actor, String what) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%s %-14s %s", time(at), actor, what);
        }
    }

    private final Line[] lines;
    private long count;
    private long hash = 0x9e3779b97f4a7c15L;

    Trace(int kept) {
        lines = new Line[kept];
    }

    void add(long at, String actor, String what) {
        hash = mix(hash ^ at);
        hash = mix(hash ^ ((long) actor.hashCode() << 32 | Integer.toUnsignedLong(what.hashCode())));
        if (lines.length > 0) {
            lines[(int) (count % lines.length)] = new Line(at, actor, what);
        }
        count++;
    }

    private static long mix(long value) {
        long x = value * 0xff51afd7ed558ccdL;
        x ^= x >>> 32;
        return x * 0xc4ceb9fe1a85ec53L;
    }

    long hash() {
        return hash;
    }

    List<String> tail() {
        List<String> tail = new ArrayList<>();
        for (long i = Math.max(0, count - lines.length); i < count; i++) {
            tail.add(lines[(int) (i % lines.length)].toString());
        }
        return tail;
    }

    /** Formats nanoseconds as seconds, to the microsecond. */
    static String time(long nanos) {
        return String.format(Locale.ROOT, "%11.6f", nanos / 1e9);
    }
}
