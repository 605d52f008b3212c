package dev.evenkeel.testing.internal.convergence;

import dev.evenkeel.simulation.internal.ObjectRef;
import dev.evenkeel.testing.internal.convergence.RunResult.Finding;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The runs without faults. The first is what others are compared with. A second, on another day and with other random
 * numbers, must end in the same states. If several objects of a kind are reconciled, each is deleted first in a further
 * run: what is left then must be as before, or as in a run in which that object never existed.
 */
public final class UndisturbedRuns {
    private UndisturbedRuns() {}

    /** Returns the result of the first run, with the finding of any of them. */
    public static <E> RunResult of(Baseline<E> baseline) {
        RunResult calm = CheckRun.undisturbed(baseline, Variant.PLAIN);
        if (calm.finding().isPresent() || calm.observed().primaries().isEmpty()) {
            return calm;
        }
        RunResult other = CheckRun.undisturbed(baseline, Variant.ANOTHER_DAY);
        for (int i = 0; i < Math.min(calm.states().size(), other.states().size()); i++) {
            Optional<Finding> unsteady =
                    ClusterState.unsteady(calm.states().get(i), other.states().get(i));
            if (unsteady.isPresent()) {
                return calm.finding(unsteady.get());
            }
        }
        if (other.finding().isPresent()) {
            return other;
        }
        Map<ObjectRef, ClusterState> survivors = new HashMap<>(calm.survivors());
        List<ObjectRef> several = CheckRun.severalOfAKind(calm.observed().primaries()).stream()
                .filter(baseline.given::contains)
                .toList();
        for (ObjectRef one : several) {
            RunResult deleting = calm.survivors().containsKey(one)
                    ? calm
                    : CheckRun.undisturbed(baseline, Variant.deletingFirst(one));
            if (deleting.finding().isPresent()) {
                return deleting;
            }
            survivors.putAll(deleting.survivors());
            RunResult without = CheckRun.undisturbed(baseline, Variant.without(one));
            Optional<Finding> harm = without.finding().isPresent() ? Optional.empty() : harm(one, deleting, without);
            if (harm.isPresent()) {
                return deleting.finding(harm.get());
            }
        }
        return calm.survivors(survivors);
    }

    private static Optional<Finding> harm(ObjectRef one, RunResult deleting, RunResult without) {
        ClusterState after = deleting.survivors().get(one);
        if (after == null) {
            return Optional.empty();
        }
        ClusterState before = deleting.states().get(without.states().size() - 1);
        ClusterState never = without.states().getLast();
        List<String> lines = DeletionHarm.of(before, after, never);
        return lines.isEmpty()
                ? Optional.empty()
                : Optional.of(new Finding("the deletion of " + one + " harms others", lines));
    }
}
