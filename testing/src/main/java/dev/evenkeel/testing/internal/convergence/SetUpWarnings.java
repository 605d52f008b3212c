package dev.evenkeel.testing.internal.convergence;

import dev.evenkeel.simulation.VirtualClock;
import dev.evenkeel.simulation.internal.ObjectRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Warnings of mistakes that a check cannot see because its set-up has too little, each with the option that adds it. A
 * check that passes shows less than it seems to if it has one object, no change, or nothing to compare.
 */
public final class SetUpWarnings {
    private SetUpWarnings() {}

    /** Returns the warnings, in sentences; none if the run without faults failed, since then that is to be corrected. */
    public static List<String> of(CheckSpec<?> spec, RunResult calm) {
        if (calm.finding().isPresent()) {
            return List.of();
        }
        List<String> warnings = new ArrayList<>();
        List<ClusterState> states = calm.states().subList(0, calm.states().size() - 1); // without what was left
        Map<String, List<ObjectRef>> primaries = calm.observed().primaries().stream()
                .collect(Collectors.groupingBy(ObjectRef::kind, TreeMap::new, Collectors.toList()));
        primaries.forEach((kind, objects) -> {
            if (objects.size() == 1) {
                warnings.add("there is one object of " + kind + ": equal names of children, and harm to others by its"
                        + " deletion, are not seen. Add another one with given(...)");
            } else if (objects.stream().noneMatch(calm.survivors()::containsKey)) {
                warnings.add("edits delete several objects of " + kind + ", so that none is deleted while all others"
                        + " stay: harm to others by its deletion is not seen. Add a check without these edits");
            }
        });
        if (spec.edits().isEmpty()) {
            warnings.add("users change nothing: what a former state leaves behind is not seen. Add a change with"
                    + " edit(...)");
        }
        if (spec.always().isEmpty()) {
            warnings.add("there is no invariant: what is wrong for a while, such as data that is lost and created"
                    + " again, is not seen. Add one with always(...)");
        }
        if (hasSystem(spec)
                && states.stream().map(SetUpWarnings::outside).distinct().count() == 1) {
            warnings.add("the state of the external system is the same all the time: what is left or missing there is"
                    + " not seen. Return what it contains from the second function of outside(...)");
        }
        return warnings;
    }

    private static boolean hasSystem(CheckSpec<?> spec) {
        Object system = spec.outside().apply(new VirtualClock(Baseline.START)).system();
        return !Optional.empty().equals(system);
    }

    private static String outside(ClusterState state) {
        return String.valueOf(state.objects().get(ClusterState.OUTSIDE));
    }
}
