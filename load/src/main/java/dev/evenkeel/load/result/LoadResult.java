package dev.evenkeel.load.result;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The result of one run.
 *
 * @param plan the name of the plan
 * @param seed the seed of the run; with it, the same operations are made again
 * @param started the time at which the run began
 * @param environment what describes the run and its machine, such as the command of the controller and the number of CPUs
 * @param phases the phases, in their order
 * @param series the figures over time
 * @param sizes the figures in clusters of the sizes of the plan
 * @param classes the classes of the controller that grew most from the first third of the measured cycles to the last one;
 *     none if that was not measured
 * @param verdicts the judgements
 */
public record LoadResult(
        String plan,
        long seed,
        Instant started,
        SortedMap<String, String> environment,
        List<PhaseResult> phases,
        List<Series> series,
        List<SizeResult> sizes,
        List<ClassGrowth> classes,
        List<Verdict> verdicts) {
    public LoadResult {
        environment = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(Map.copyOf(environment)));
        phases = List.copyOf(phases);
        series = List.copyOf(series);
        sizes = List.copyOf(sizes);
        classes = List.copyOf(classes);
        verdicts = List.copyOf(verdicts);
    }

    /** Returns the figures of a name. */
    public Optional<Series> series(String name) {
        return series.stream().filter(one -> one.name().equals(name)).findFirst();
    }

    /** Returns whether no verdict is a failure. */
    public boolean passed() {
        return verdicts.stream().noneMatch(verdict -> verdict.outcome() == Verdict.Outcome.FAIL);
    }
}
