package dev.evenkeel.controller.simulation;

import java.time.Duration;
import java.util.List;

/**
 * How a run ended.
 *
 * @param scenario what was played
 * @param seed repeats it
 * @param converged whether all was as it should be, in the end
 * @param violations what must not be and was; the first ones
 * @param steps tasks that ran
 * @param duration virtual time
 * @param hash of all that happened: equal for equal runs
 * @param tail what happened last
 */
public record Outcome(
        String scenario,
        long seed,
        boolean converged,
        List<Violation> violations,
        long steps,
        Duration duration,
        long hash,
        List<String> tail) {
    /** Copies the lists. */
    public Outcome {
        violations = List.copyOf(violations);
        tail = List.copyOf(tail);
    }

    /** Whether nothing is wrong. */
    public boolean passed() {
        return converged && violations.isEmpty();
    }

    /** What is wrong, with what happened last; one line when nothing is. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(scenario)
                .append(", seed ")
                .append(seed)
                .append(": ")
                .append(converged ? "converged" : "NOT converged")
                .append(" after ")
                .append(duration)
                .append(" and ")
                .append(steps)
                .append(" steps, trace ")
                .append(Long.toHexString(hash));
        if (!passed()) {
            violations.forEach(violation -> text.append("\n  VIOLATED ").append(violation));
            tail.forEach(line -> text.append("\n  ").append(line));
        }
        return text.toString();
    }
}
