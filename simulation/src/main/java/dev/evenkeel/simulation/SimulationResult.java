package dev.evenkeel.simulation;

import java.time.Duration;
import java.util.List;

/**
 * The result of a run.
 *
 * @param scenario name of the scenario
 * @param seed repeats the run
 * @param converged whether everything converged in the end
 * @param violations violated invariants; the first ones
 * @param steps number of tasks that ran
 * @param duration virtual time
 * @param hash hash of the trace: equal for equal runs
 * @param tail the last lines of the trace
 */
public record SimulationResult(
        String scenario,
        long seed,
        boolean converged,
        List<Violation> violations,
        long steps,
        Duration duration,
        long hash,
        List<String> tail) {
    /** Copies the lists. */
    public SimulationResult {
        violations = List.copyOf(violations);
        tail = List.copyOf(tail);
    }

    /** Returns whether it converged and nothing was violated. */
    public boolean passed() {
        return converged && violations.isEmpty();
    }

    /** One line; for a failed run, also its violations and the last lines of the trace. */
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
