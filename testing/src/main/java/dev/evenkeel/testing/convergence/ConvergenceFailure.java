package dev.evenkeel.testing.convergence;

import java.util.List;

/**
 * A schedule by which a reconciler fails.
 *
 * @param problem one sentence
 * @param details lines that say what differs
 * @param schedule the faults, as few as possible, for {@link Convergence#replay}; empty if the reconciler fails without
 *     any
 * @param faults number of faults in the schedule
 * @param steps what happened, in lines
 */
public record ConvergenceFailure(
        String problem, List<String> details, String schedule, int faults, List<String> steps) {
    /** Copies the lists. */
    public ConvergenceFailure {
        details = List.copyOf(details);
        steps = List.copyOf(steps);
    }
}
