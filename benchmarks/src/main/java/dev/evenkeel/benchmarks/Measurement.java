package dev.evenkeel.benchmarks;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

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
        POINTS("points", true);

        final String symbol;
        private final boolean moreIsBetter;

        Unit(String symbol, boolean moreIsBetter) {
            this.symbol = symbol;
            this.moreIsBetter = moreIsBetter;
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

    JsonObject json() {
        return new JsonObject()
                .set("suite", suite)
                .set("workload", workload)
                .set("unit", unit.symbol)
                .set("ours", ours)
                .set("peer", nullable(peer))
                .set("peerName", peerName)
                .set("ratio", nullable(ratio()));
    }

    private static @Nullable Object nullable(OptionalDouble number) {
        return number.isEmpty() ? null : number.getAsDouble();
    }
}
