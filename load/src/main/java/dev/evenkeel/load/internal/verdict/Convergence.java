package dev.evenkeel.load.internal.verdict;

import static dev.evenkeel.load.internal.verdict.Wording.seconds;
import static dev.evenkeel.load.internal.verdict.Wording.time;

import dev.evenkeel.load.result.PhaseResult;
import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.load.result.Verdict.Outcome;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/** Judges whether the controller converged after each phase within a time. */
public final class Convergence {
    private static final double LEVEL = 0.95;

    private Convergence() {}

    /**
     * The limits of convergence.
     *
     * @param bound the longest time from the last acknowledgement to convergence
     */
    public record Limits(Duration bound) {
        /** 30 s. */
        public static final Limits DEFAULT = new Limits(Duration.ofSeconds(30));

        public Limits {
            if (bound.isNegative() || bound.isZero()) {
                throw new IllegalArgumentException("bound must be positive: " + bound);
            }
        }
    }

    /** Judges phases by the default limits. */
    public static Verdict judge(List<PhaseResult> phases) {
        return judge(phases, Limits.DEFAULT);
    }

    /** Judges phases; the value is the longest time, or infinite if a phase has not converged. */
    public static Verdict judge(List<PhaseResult> phases, Limits limits) {
        if (phases.isEmpty()) {
            return verdict(Outcome.OPEN, 0, limits, "The plan has no phases.", 0, "Add a phase to the plan.");
        }
        List<String> stuck = phases.stream()
                .filter(phase -> phase.converged().isEmpty())
                .map(PhaseResult::name)
                .toList();
        if (!stuck.isEmpty()) {
            return verdict(
                    Outcome.FAIL,
                    Double.POSITIVE_INFINITY,
                    limits,
                    "The controller had not converged when the wait ended after " + Wording.names(stuck) + ".",
                    1,
                    "");
        }
        PhaseResult slowest = phases.stream()
                .max(Comparator.comparing(phase -> phase.converged().orElseThrow()))
                .orElseThrow();
        double longest = seconds(slowest.converged().orElseThrow());
        if (longest > seconds(limits.bound())) {
            return verdict(
                    Outcome.FAIL,
                    longest,
                    limits,
                    "The controller converged " + time(longest) + " after the last operation of " + slowest.name()
                            + ", later than " + time(seconds(limits.bound())) + ".",
                    1,
                    "");
        }
        long missing = Succession.missing(phases.size(), LEVEL);
        return verdict(
                Outcome.PASS,
                longest,
                limits,
                "The controller converged after each of " + Wording.count(phases.size(), "phase", "phases")
                        + "; the longest time was " + time(longest) + ", after " + slowest.name() + ".",
                Succession.confidence(phases.size()),
                missing == 0 ? "" : "Run " + Wording.count(missing, "more phase", "more phases") + ".");
    }

    private static Verdict verdict(
            Outcome outcome, double value, Limits limits, String finding, double confidence, String firmer) {
        return new Verdict(
                "convergence", outcome, value, seconds(limits.bound()), "seconds", finding, confidence, firmer);
    }
}
