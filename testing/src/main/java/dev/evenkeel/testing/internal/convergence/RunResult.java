package dev.evenkeel.testing.internal.convergence;

import dev.evenkeel.simulation.internal.Fault;
import dev.evenkeel.simulation.internal.ObjectRef;
import dev.evenkeel.simulation.internal.ObservedRun;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The result of a run; others are compared with that of the run without faults.
 *
 * @param states the state at rest, by the number of changes that users had made, and then what was left after the
 *     deletion; only of the run without faults
 * @param keptTimes the times that did not change from one state at rest to the next, by the number of changes
 * @param survivors the state after the deletion of one of several objects of a kind, by that object
 * @param failing objects whose reconciliation fails without faults, because a foreign object is in the way
 * @param struck the faults that had an effect
 * @param steps what happened, if that was wanted
 */
public record RunResult(
        Optional<Finding> finding,
        List<ClusterState> states,
        Map<Integer, Set<String>> keptTimes,
        Map<ObjectRef, ClusterState> survivors,
        ObservedRun observed,
        Set<ObjectRef> failing,
        Set<Fault> struck,
        List<String> steps) {
    /** Returns a copy with other states after the deletion of one of several objects. */
    public RunResult survivors(Map<ObjectRef, ClusterState> all) {
        return new RunResult(finding, states, keptTimes, all, observed, failing, struck, steps);
    }

    /** Returns a copy with this finding. */
    public RunResult finding(Finding found) {
        return new RunResult(Optional.of(found), states, keptTimes, survivors, observed, failing, struck, steps);
    }

    /** A failure of a run: a sentence, and lines that describe the differences. */
    public record Finding(String problem, List<String> details) {
        public Finding {
            details = List.copyOf(details);
        }

        static Finding of(String problem, String... details) {
            return new Finding(problem, List.of(details));
        }
    }
}
