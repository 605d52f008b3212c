package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The quality of service of a pod: Guaranteed, Burstable or BestEffort, from its cpu and memory. */
final class QosClass {
    private static final List<String> RESOURCES = List.of("cpu", "memory");

    private QosClass() {}

    static String of(JsonObject pod) {
        JsonObject whole = pod.object("spec", "resources");
        List<JsonObject> parts = new ArrayList<>();
        if (whole.object("limits").isEmpty() && whole.object("requests").isEmpty()) {
            for (String kind : List.of("containers", "initContainers")) {
                pod.objects("spec", kind).forEach(container -> parts.add(container.object("resources")));
            }
        } else {
            parts.add(whole);
        }
        Map<String, BigDecimal> requests = new HashMap<>();
        Map<String, BigDecimal> limits = new HashMap<>();
        boolean limited = true;
        for (JsonObject part : parts) {
            add(part.object("requests"), requests);
            limited &= add(part.object("limits"), limits) == RESOURCES.size();
        }
        if (requests.isEmpty() && limits.isEmpty()) {
            return "BestEffort";
        }
        boolean equal = requests.keySet().equals(limits.keySet())
                && requests.entrySet().stream()
                        .allMatch(request -> request.getValue().compareTo(limits.get(request.getKey())) == 0);
        return limited && equal ? "Guaranteed" : "Burstable";
    }

    /** Adds the amounts that are not zero, and returns their number. */
    private static int add(JsonObject amounts, Map<String, BigDecimal> sums) {
        int count = 0;
        for (String name : RESOURCES) {
            BigDecimal amount =
                    Quantity.read(amounts.string(name)).map(Quantity::value).orElse(BigDecimal.ZERO);
            if (amount.signum() > 0) {
                sums.merge(name, amount, BigDecimal::add);
                count++;
            }
        }
        return count;
    }
}
