package dev.evenkeel.simulation.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The runs that were made, by their faults. A run is repeatable, so one whose further faults lie at places that a known run
 * did not reach would be the same run again: nothing is lost if it is not made.
 *
 * @param <F> type of faults with their places
 */
public final class KnownRuns<F> {
    private final Map<List<F>, Predicate<F>> runs = new HashMap<>();

    /**
     * Adds a run.
     *
     * @param reached whether it came to the place of a fault, or may have
     */
    public void add(List<F> faults, Predicate<F> reached) {
        runs.put(List.copyOf(faults), reached);
    }

    /** Returns whether a run with these faults would be the same as a known one. */
    public boolean has(List<F> faults) {
        for (int kept = (1 << faults.size()) - 1; kept >= 0; kept--) {
            List<F> some = new ArrayList<>(faults.size());
            List<F> others = new ArrayList<>(faults.size());
            for (int i = 0; i < faults.size(); i++) {
                ((kept >> i & 1) == 1 ? some : others).add(faults.get(i));
            }
            Predicate<F> reached = runs.get(some);
            if (reached != null && others.stream().noneMatch(reached)) {
                return true;
            }
        }
        return false;
    }
}
