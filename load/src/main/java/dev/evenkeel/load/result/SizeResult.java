package dev.evenkeel.load.result;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The figures of a controller in a cluster of one size.
 *
 * @param objects the number of objects in the cluster
 * @param retained the bytes that the controller retains after a full collection; empty if they were not measured
 * @param costs the CPU time of the controller for one operation, by phase: one value for each repetition
 */
public record SizeResult(long objects, OptionalLong retained, SortedMap<String, List<Duration>> costs) {
    public SizeResult {
        SortedMap<String, List<Duration>> copy = new TreeMap<>();
        Map.copyOf(costs).forEach((phase, values) -> copy.put(phase, List.copyOf(values)));
        costs = Collections.unmodifiableSortedMap(copy);
    }
}
