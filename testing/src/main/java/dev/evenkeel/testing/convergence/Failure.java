package dev.evenkeel.testing.convergence;

import java.util.List;

/**
 * A schedule by which a reconciler does not do what it should.
 *
 * @param problem what is wrong, in one sentence
 * @param details lines, of what differs
 * @param schedule what goes wrong on the way, as small as it could be made; {@link Convergence#replay} takes it. Empty when
 *     the reconciler does not do what it should even when nothing goes wrong
 * @param faults of how many faults that is
 * @param steps what happened, in lines
 */
public record Failure(String problem, List<String> details, String schedule, int faults, List<String> steps) {
    /** Copies the lists. */
    public Failure {
        details = List.copyOf(details);
        steps = List.copyOf(steps);
    }
}
