package dev.evenkeel.load.internal.verdict;

import static dev.evenkeel.load.internal.verdict.Wording.seconds;
import static dev.evenkeel.load.internal.verdict.Wording.time;

import dev.evenkeel.load.result.PhaseResult;
import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.load.result.Verdict.Outcome;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** Judges whether the controller converged after each phase within a time. */
public final class Convergence {
    private static final double LEVEL = 0.95;

    private Convergence() {}

    /** The bound of {@link #judge(List)}. */
    private static final Duration BOUND = Duration.ofSeconds(30);

    /** Judges phases that must converge in 30 s each. */
    public static Verdict judge(List<PhaseResult> phases) {
        return judge(phases, phase -> BOUND);
    }

    /**
     * Judges phases; the value is the time that was the largest share of its bound, or infinite if a phase has not converged.
     *
     * @param bounds the longest time from the last acknowledgement of a phase to convergence
     */
    public static Verdict judge(List<PhaseResult> phases, Function<? super PhaseResult, Duration> bounds) {
        if (phases.isEmpty()) {
            return verdict(Outcome.OPEN, 0, BOUND, "The plan has no phases.", 0, "Add a phase to the plan.");
        }
        List<PhaseResult> stuck =
                phases.stream().filter(phase -> phase.converged().isEmpty()).toList();
        if (!stuck.isEmpty()) {
            return verdict(
                    Outcome.FAIL,
                    Double.POSITIVE_INFINITY,
                    bounds.apply(stuck.getFirst()),
                    "The controller had not converged when the wait ended after "
                            + Wording.names(
                                    stuck.stream().map(PhaseResult::name).toList())
                            + ".",
                    1,
                    "");
        }
        PhaseResult slowest = phases.stream()
                .max(Comparator.comparingDouble(
                        phase -> seconds(phase.converged().orElseThrow()) / seconds(bounds.apply(phase))))
                .orElseThrow();
        double longest = seconds(slowest.converged().orElseThrow());
        Duration bound = bounds.apply(slowest);
        if (longest > seconds(bound)) {
            return verdict(
                    Outcome.FAIL,
                    longest,
                    bound,
                    "The controller converged " + time(longest) + " after the last operation of " + slowest.name()
                            + ", later than " + time(seconds(bound)) + ".",
                    1,
                    "");
        }
        long missing = Succession.missing(phases.size(), LEVEL);
        return verdict(
                Outcome.PASS,
                longest,
                bound,
                "The controller converged after each of " + Wording.count(phases.size(), "phase", "phases")
                        + "; the longest time was " + time(longest) + ", after " + slowest.name() + ".",
                Succession.confidence(phases.size()),
                missing == 0 ? "" : "Run " + Wording.count(missing, "more phase", "more phases") + ".");
    }

    private static Verdict verdict(
            Outcome outcome, double value, Duration bound, String finding, double confidence, String firmer) {
        return new Verdict("convergence", outcome, value, seconds(bound), "seconds", finding, confidence, firmer);
    }
}
