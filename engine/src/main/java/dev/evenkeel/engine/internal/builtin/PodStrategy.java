package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.strategy.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pods. Besides the defaults, new pods get what upstream's default admission plugins add without looking anything up:
 * priority 0 and the tolerations for nodes that fail. Nothing runs them here; they stay Pending.
 */
final class PodStrategy implements Strategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        PodDefaults.pod(tree);
    }

    @Override
    public void prepareForCreate(Map<String, @Nullable Object> tree, Context context) {
        Trees.with(tree, PodStrategy::admit, "spec");
        tree.put("status", Trees.of("phase", "Pending", "qosClass", qosClass(tree)));
    }

    private static void admit(Map<String, @Nullable Object> spec) {
        String priorityClass = Json.string(spec, "priorityClassName");
        Trees.fill(
                spec,
                "priority",
                switch (priorityClass) {
                    case "system-node-critical" -> 2_000_001_000L;
                    case "system-cluster-critical" -> 2_000_000_000L;
                    default -> 0L;
                });
        Trees.fillText(spec, "preemptionPolicy", "PreemptLowerPriority");
        tolerate(spec);
    }

    private static void tolerate(Map<String, @Nullable Object> spec) {
        List<@Nullable Object> tolerations = new ArrayList<>(Trees.list(spec, "tolerations"));
        tolerate(tolerations, "node.kubernetes.io/not-ready");
        tolerate(tolerations, "node.kubernetes.io/unreachable");
        spec.put("tolerations", tolerations);
    }

    private static void tolerate(List<@Nullable Object> tolerations, String taint) {
        for (Object toleration : tolerations) {
            String key = Json.string(toleration, "key");
            String effect = Json.string(toleration, "effect");
            if ((key.equals(taint) || key.isEmpty()) && (effect.equals("NoExecute") || effect.isEmpty())) {
                return;
            }
        }
        tolerations.add(Trees.of("key", taint, "operator", "Exists", "effect", "NoExecute", "tolerationSeconds", 300L));
    }

    /** Guaranteed, Burstable or BestEffort, from the cpu and memory of all containers. */
    static String qosClass(Map<String, @Nullable Object> pod) {
        boolean any = false;
        boolean guaranteed = true;
        List<@Nullable Object> containers = new ArrayList<>(Trees.list(pod, "spec", "containers"));
        containers.addAll(Trees.list(pod, "spec", "initContainers"));
        for (Object container : containers) {
            for (String resource : List.of("cpu", "memory")) {
                Object request = Json.at(container, "resources", "requests", resource);
                Object limit = Json.at(container, "resources", "limits", resource);
                any |= counts(request) || counts(limit);
                guaranteed &= counts(limit) && (request == null || request.equals(limit));
            }
        }
        return !any ? "BestEffort" : guaranteed ? "Guaranteed" : "Burstable";
    }

    private static boolean counts(@Nullable Object amount) {
        return amount != null && !amount.equals("0");
    }

    @Override
    public void prepareForUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Context context) {
        Trees.with(
                tree,
                spec -> {
                    Map<String, @Nullable Object> before = Trees.object(old, "spec");
                    for (String kept : List.of("priority", "preemptionPolicy")) {
                        if (!spec.containsKey(kept)) {
                            Trees.carry(before, spec, kept);
                        }
                    }
                    tolerate(spec);
                },
                "spec");
    }

    @Override
    public List<FieldError> validate(Map<String, @Nullable Object> tree) {
        return PodValidation.pod(tree);
    }

    @Override
    public List<FieldError> validateUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        return PodValidation.update(tree, old);
    }
}
