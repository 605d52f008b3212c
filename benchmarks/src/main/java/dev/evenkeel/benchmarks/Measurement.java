package dev.evenkeel.benchmarks;

import java.util.Arrays;
import java.util.OptionalDouble;

/** One line of a report: our number, and the peer's, if there is one; otherwise its name is empty. */
record Measurement(String suite, String workload, Unit unit, double ours, OptionalDouble peer, String peerName) {
    enum Unit {
        PER_SECOND("1/s", true),
        DELIVERIES_PER_SECOND("deliveries/s", true),
        MILLISECONDS("ms", false),
        MICROSECONDS("µs", false),
        NANOSECONDS("ns", false),
        BYTES("B", false),
        PERCENT("%", false),
        TIMES("times", false),
        MISSES("misses", false),
        MESSAGES("messages", false),
        KEYS("keys", true),
        POINTS("points", true),
        SLOPE("slope", false);

        final String symbol;
        final boolean moreIsBetter;

        Unit(String symbol, boolean moreIsBetter) {
            this.symbol = symbol;
            this.moreIsBetter = moreIsBetter;
        }

        /** Returns the unit of this symbol. */
        static Unit of(String symbol) {
            return Arrays.stream(values())
                    .filter(unit -> unit.symbol.equals(symbol))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("unknown unit \"" + symbol + "\""));
        }

        /** Returns a time of this unit; for units of time. */
        double ofNanos(double nanos) {
            return nanos / (this == MILLISECONDS ? 1e6 : this == MICROSECONDS ? 1e3 : 1);
        }
    }

    /**
     * Returns how many times better ours is: above 1 it is better, whatever the unit; empty without a peer or when a
     * number is zero.
     */
    OptionalDouble ratio() {
        return peer.isEmpty() || ours == 0 || peer.getAsDouble() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(unit.moreIsBetter ? ours / peer.getAsDouble() : peer.getAsDouble() / ours);
    }
}
