package dev.evenkeel.testing.internal.convergence;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds the harm that the deletion of an object does to others, in runs without faults. */
public final class DeletionHarm {
    private DeletionHarm() {}

    /**
     * Returns the harm in lines; empty if there is none. What is left after the deletion must be as before it, or as if
     * the object had never existed.
     *
     * @param before the state before the deletion
     * @param after the state after it
     * @param never the state of a run in which the object never existed
     */
    public static List<String> of(ClusterState before, ClusterState after, ClusterState never) {
        Map<String, Map<String, String>> expected = new LinkedHashMap<>();
        Map<String, Map<String, String>> actual = new LinkedHashMap<>();
        never.objects().forEach((name, fields) -> {
            Map<String, String> present = after.objects().get(name);
            boolean unharmed = present != null
                    && (present.equals(fields)
                            || present.equals(before.objects().get(name)));
            if (!unharmed) {
                expected.put(name, fields);
                if (present != null) {
                    actual.put(name, present);
                }
            }
        });
        return ClusterState.differences(new ClusterState(expected), new ClusterState(actual)).stream()
                .map(line -> line.replace("without faults it is", "without that object it is"))
                .toList();
    }
}
