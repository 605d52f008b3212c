package dev.evenkeel.check.internal.run;

import dev.evenkeel.simulation.internal.request.FaultSchedule;
import dev.evenkeel.simulation.internal.request.PlacedFault;
import dev.evenkeel.simulation.internal.request.SchedulePlanner.Visit;
import dev.evenkeel.testing.internal.convergence.ClusterState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The outcome of a run.
 *
 * @param states the state at each rest
 * @param visits the places, in their order
 * @param watched the resources that were watched
 * @param unserved the resources that were requested and are not served
 * @param missed the faults that did not strike
 * @param problem what is wrong; empty if nothing is
 */
public record RunOutcome(
        FaultSchedule schedule,
        List<ClusterState> states,
        List<Visit> visits,
        Set<String> watched,
        Set<String> unserved,
        List<PlacedFault> missed,
        Optional<Problem> problem,
        List<RunLog.Entry> log,
        Duration elapsed) {
    /**
     * A problem.
     *
     * @param title in one line
     * @param lines the details
     */
    public record Problem(String title, List<String> lines) {
        /** Copies the list. */
        public Problem {
            lines = List.copyOf(lines);
        }
    }

    /** Copies the lists. */
    public RunOutcome {
        states = List.copyOf(states);
        visits = List.copyOf(visits);
        watched = Set.copyOf(watched);
        unserved = Set.copyOf(unserved);
        missed = List.copyOf(missed);
        log = List.copyOf(log);
    }
}
