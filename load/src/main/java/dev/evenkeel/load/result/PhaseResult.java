package dev.evenkeel.load.result;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The figures of one phase.
 *
 * @param name the name of the phase
 * @param start the time from the beginning of the run to that of the phase
 * @param duration the time from the first operation to the last acknowledgement
 * @param operations the number of operations
 * @param refused the number of operations that the server has refused
 * @param acknowledged the times from when operations were due to their acknowledgement
 * @param visible the times from acknowledgement to the visible effect, of the operations that have one
 * @param converged the time from the last acknowledgement until the controller had converged; empty if it had not in time
 * @param cpu the CPU time of the controller, from the first operation until it had converged; empty if it was not measured
 * @param requests the requests of the controller in the phase, by a verb, a space and a kind such as {@code update pods}
 */
public record PhaseResult(
        String name,
        Duration start,
        Duration duration,
        long operations,
        long refused,
        Latencies acknowledged,
        Latencies visible,
        Optional<Duration> converged,
        Optional<Duration> cpu,
        SortedMap<String, RequestCounts> requests) {
    public PhaseResult {
        requests = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(Map.copyOf(requests)));
    }

    /** Returns the number of requests of the controller that change objects, whatever the answer was. */
    public long writes() {
        return RequestCounts.writes(requests);
    }
}
