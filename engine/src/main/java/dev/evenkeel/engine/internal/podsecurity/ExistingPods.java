package dev.evenkeel.engine.internal.podsecurity;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The pods of a namespace that get a stricter standard. */
public final class ExistingPods {
    private static final int LIMIT = 3000;

    private ExistingPods() {}

    /**
     * Returns warnings about the pods that violate the new standard: one for all pods that do so in the same way. Of very
     * many pods only the first are checked, those of different controllers before others of the same ones.
     */
    public static List<String> warnings(String namespace, Standard enforce, List<JsonObject> pods) {
        List<JsonObject> checked = pods.size() > LIMIT ? byController(pods).subList(0, LIMIT) : pods;
        Map<String, TreeSet<String>> names = new TreeMap<>();
        for (JsonObject pod : checked) {
            Verdict verdict = enforce.verdict(CheckedPod.of(pod));
            if (!verdict.allowed()) {
                names.computeIfAbsent(verdict.reasons(), reasons -> new TreeSet<>())
                        .add(pod.string("metadata", "name"));
            }
        }
        List<String> warnings = new ArrayList<>(0);
        if (checked.size() < pods.size()) {
            warnings.add("new PodSecurity enforce level only checked against the first " + checked.size() + " of "
                    + pods.size() + " existing pods");
        }
        if (!names.isEmpty()) {
            warnings.add("existing pods in namespace " + Json.text(namespace)
                    + " violate the new PodSecurity enforce level " + Json.text(enforce.toString()));
        }
        names.entrySet().stream()
                .map(each -> each.getValue().first() + others(each.getValue().size() - 1) + ": " + each.getKey())
                .sorted()
                .forEach(warnings::add);
        return warnings;
    }

    private static String others(int count) {
        return switch (count) {
            case 0 -> "";
            case 1 -> " (and 1 other pod)";
            default -> " (and " + count + " other pods)";
        };
    }

    /** Returns the first pod of each controller and those without one, then the others. */
    private static List<JsonObject> byController(List<JsonObject> pods) {
        Set<String> controllers = new HashSet<>();
        List<JsonObject> first = new ArrayList<>(pods.size());
        List<JsonObject> others = new ArrayList<>(0);
        for (JsonObject pod : pods) {
            String controller = pod.objects("metadata", "ownerReferences").stream()
                    .filter(owner -> owner.bool("controller"))
                    .map(owner -> owner.string("uid"))
                    .findFirst()
                    .orElse("");
            (controller.isEmpty() || controllers.add(controller) ? first : others).add(pod);
        }
        first.addAll(others);
        return first;
    }
}
