package dev.evenkeel.load.internal.verdict;

import static dev.evenkeel.load.internal.verdict.Wording.number;
import static dev.evenkeel.load.internal.verdict.Wording.seconds;
import static dev.evenkeel.load.internal.verdict.Wording.time;

import dev.evenkeel.load.result.Latencies;
import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.load.result.Verdict.Outcome;
import java.time.Duration;

/** Judges whether a percentile of the latencies from the acknowledgement to the visible effect is under a bound. */
public final class LatencyBound {
    private LatencyBound() {}

    /**
     * The limits of latencies.
     *
     * @param percentile the percentile, between 0 and 100
     * @param bound the latency that it must not exceed
     * @param level the confidence from which on a judgement passes or fails
     */
    public record Limits(double percentile, Duration bound, double level) {
        /** 99 % within 1 s. */
        public static final Limits DEFAULT = new Limits(99, Duration.ofSeconds(1), 0.95);

        public Limits {
            if (!(percentile > 0 && percentile < 100)) {
                throw new IllegalArgumentException("percentile must be between 0 and 100: " + percentile);
            }
            if (bound.isNegative() || bound.isZero()) {
                throw new IllegalArgumentException("bound must be positive: " + bound);
            }
            if (!(level > 0.5 && level < 1)) {
                throw new IllegalArgumentException("level must be between 0.5 and 1: " + level);
            }
        }
    }

    /** Judges latencies by the default limits. */
    public static Verdict judge(Latencies visible) {
        return judge(visible, Limits.DEFAULT);
    }

    /** Judges latencies. */
    public static Verdict judge(Latencies visible, Limits limits) {
        Tail tail = Tail.of(visible, limits.percentile(), limits.bound());
        if (tail.count() == 0) {
            return verdict(
                    Outcome.OPEN,
                    0,
                    limits,
                    "No operation has a visible effect that was measured.",
                    0,
                    "Give the plan a rule for the visible effect of an operation.");
        }
        double value = seconds(visible.percentile(limits.percentile()));
        String finding = "Effects become visible within " + time(value) + " for " + number(limits.percentile())
                + " % of " + Wording.count(tail.count(), "operation", "operations") + "; " + tail.over()
                + " took longer than " + time(seconds(limits.bound())) + ".";
        if (tail.under() >= limits.level()) {
            return verdict(Outcome.PASS, value, limits, finding, tail.under(), "");
        }
        if (tail.exceeds() >= limits.level()) {
            return verdict(Outcome.FAIL, value, limits, finding, tail.exceeds(), "");
        }
        long missing = tail.missing(limits.level());
        return verdict(
                Outcome.OPEN,
                value,
                limits,
                finding,
                Math.max(tail.under(), tail.exceeds()),
                "Make " + Wording.count(missing, "more operation", "more operations") + ".");
    }

    private static Verdict verdict(
            Outcome outcome, double value, Limits limits, String finding, double confidence, String firmer) {
        return new Verdict("latency", outcome, value, seconds(limits.bound()), "seconds", finding, confidence, firmer);
    }
}
