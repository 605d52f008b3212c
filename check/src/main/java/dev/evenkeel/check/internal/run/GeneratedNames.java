package dev.evenkeel.check.internal.run;

import dev.evenkeel.testing.internal.convergence.ClusterState;
import java.util.Map;
import java.util.TreeMap;

/**
 * Replaces generated names, which differ from run to run. The state itself knows those of objects that still have the
 * prefix in their metadata; a controller that replaces its object may have removed it.
 */
final class GeneratedNames {
    private GeneratedNames() {}

    /**
     * Returns a state with other names.
     *
     * @param names the replacement of each name, such as {@code blog-*}
     */
    static ClusterState replaced(ClusterState state, Map<String, String> names) {
        Map<String, Map<String, String>> objects = new TreeMap<>();
        state.objects().forEach((name, fields) -> {
            Map<String, String> replaced = new TreeMap<>();
            fields.forEach((path, value) -> replaced.put(text(path, names), text(value, names)));
            String known = text(name, names);
            String free = known;
            for (int number = 2; objects.containsKey(free); number++) {
                free = known + " (" + number + ")";
            }
            objects.put(free, replaced);
        });
        return new ClusterState(objects);
    }

    private static String text(String text, Map<String, String> names) {
        String result = text;
        for (Map.Entry<String, String> name : names.entrySet()) {
            result = result.replace(name.getKey(), name.getValue());
        }
        return result;
    }
}
