package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.util.HashMap;
import java.util.Map;

/** The amounts that the containers of a pod request together, by resource. */
final class PodRequests {
    private PodRequests() {}

    /** Returns the sum of the containers and sidecars, or what an init container needs before if that is more. */
    static Map<String, Quantity> of(JsonObject spec) {
        return of(spec, "requests");
    }

    /**
     * Returns such a sum.
     *
     * @param which {@code requests} or {@code limits}
     */
    static Map<String, Quantity> of(JsonObject spec, String which) {
        Map<String, Quantity> sums = new HashMap<>();
        spec.objects("containers").forEach(container -> plus(sums, amounts(container, which)));
        Map<String, Quantity> sidecars = new HashMap<>();
        Map<String, Quantity> before = new HashMap<>();
        for (JsonObject container : spec.objects("initContainers")) {
            Map<String, Quantity> needed = amounts(container, which);
            if (container.string("restartPolicy").equals("Always")) {
                plus(sums, needed);
                plus(sidecars, needed);
                max(before, sidecars);
            } else {
                plus(needed, sidecars);
                max(before, needed);
            }
        }
        max(sums, before);
        return sums;
    }

    private static Map<String, Quantity> amounts(JsonObject container, String which) {
        Map<String, Quantity> amounts = new HashMap<>();
        container
                .object("resources", which)
                .forEach((name, amount) ->
                        Quantity.read(String.valueOf(amount)).ifPresent(quantity -> amounts.put(name, quantity)));
        return amounts;
    }

    private static void plus(Map<String, Quantity> sums, Map<String, Quantity> more) {
        more.forEach((name, amount) ->
                sums.merge(name, amount, (one, other) -> Quantity.of(one.value().add(other.value()))));
    }

    private static void max(Map<String, Quantity> most, Map<String, Quantity> others) {
        others.forEach(
                (name, amount) -> most.merge(name, amount, (one, other) -> one.compareTo(other) >= 0 ? one : other));
    }
}
