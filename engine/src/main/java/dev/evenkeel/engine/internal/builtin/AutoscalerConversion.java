package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Horizontal pod autoscalers between autoscaling/v1, which knows cpu utilisation only, and autoscaling/v2.
 *
 * <p>What v1 cannot say travels in annotations of the v1 form, in upstream's keys, and is put back on the way to v2.
 * Both directions change the tree they are given.
 */
public final class AutoscalerConversion {
    static final String METRICS = "autoscaling.alpha.kubernetes.io/metrics";
    private static final String CURRENT_METRICS = "autoscaling.alpha.kubernetes.io/current-metrics";
    private static final String CONDITIONS = "autoscaling.alpha.kubernetes.io/conditions";
    private static final String BEHAVIOR = "autoscaling.alpha.kubernetes.io/behavior";

    private AutoscalerConversion() {}

    /** From v1 to v2. */
    public static void toV2(Map<String, @Nullable Object> tree) {
        tree.put("apiVersion", "autoscaling/v2");
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        Map<String, @Nullable Object> status = Trees.grow(tree, "status");
        List<@Nullable Object> metrics = new ArrayList<>();
        Object utilization = spec.remove("targetCPUUtilizationPercentage");
        if (utilization != null) {
            Map<String, @Nullable Object> target = Trees.of("type", "Utilization", "averageUtilization", utilization);
            metrics.add(Trees.of("type", "Resource", "resource", Trees.of("name", "cpu", "target", target)));
        }
        Object kept = restore(tree, METRICS);
        if (kept instanceof List<?> list) {
            metrics.addAll(list);
        }
        if (!metrics.isEmpty()) {
            spec.put("metrics", metrics);
        }
        Object behavior = restore(tree, BEHAVIOR);
        if (behavior instanceof Map<?, ?>) {
            spec.put("behavior", behavior);
        }
        Object conditions = restore(tree, CONDITIONS);
        if (conditions instanceof List<?>) {
            status.put("conditions", conditions);
        }
        List<@Nullable Object> current = new ArrayList<>();
        Object currentUtilization = status.remove("currentCPUUtilizationPercentage");
        if (currentUtilization != null) {
            current.add(Trees.of(
                    "type",
                    "Resource",
                    "resource",
                    Trees.of("name", "cpu", "current", Trees.of("averageUtilization", currentUtilization))));
        }
        Object keptCurrent = restore(tree, CURRENT_METRICS);
        if (keptCurrent instanceof List<?> list) {
            current.addAll(list);
        }
        status.put("currentMetrics", current.isEmpty() ? null : current);
        if (Json.integer(status, "currentReplicas") == 0) {
            status.remove("currentReplicas");
        }
        Trees.fill(status, "desiredReplicas", 0L);
    }

    /** From v2 to v1. */
    public static void toV1(Map<String, @Nullable Object> tree) {
        tree.put("apiVersion", "autoscaling/v1");
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        Map<String, @Nullable Object> status = Trees.grow(tree, "status");
        List<@Nullable Object> rest = new ArrayList<>();
        for (Object metric : Trees.list(spec, "metrics")) {
            Object utilization = Json.at(metric, "resource", "target", "averageUtilization");
            if (!spec.containsKey("targetCPUUtilizationPercentage") && cpu(metric) && utilization != null) {
                spec.put("targetCPUUtilizationPercentage", utilization);
            } else {
                rest.add(metric);
            }
        }
        spec.remove("metrics");
        keep(tree, METRICS, rest.isEmpty() ? null : rest);
        keep(tree, BEHAVIOR, spec.remove("behavior"));
        keep(tree, CONDITIONS, status.remove("conditions"));
        List<@Nullable Object> restCurrent = new ArrayList<>();
        for (Object metric : Trees.list(status, "currentMetrics")) {
            Object utilization = Json.at(metric, "resource", "current", "averageUtilization");
            if (!status.containsKey("currentCPUUtilizationPercentage") && cpu(metric) && utilization != null) {
                status.put("currentCPUUtilizationPercentage", utilization);
            } else {
                restCurrent.add(metric);
            }
        }
        status.remove("currentMetrics");
        keep(tree, CURRENT_METRICS, restCurrent.isEmpty() ? null : restCurrent);
        Trees.fill(status, "currentReplicas", 0L);
        Trees.fill(status, "desiredReplicas", 0L);
    }

    private static boolean cpu(@Nullable Object metric) {
        return Json.string(metric, "type").equals("Resource")
                && Json.string(metric, "resource", "name").equals("cpu");
    }

    private static void keep(Map<String, @Nullable Object> tree, String annotation, @Nullable Object value) {
        if (value != null) {
            Trees.grow(Trees.grow(tree, "metadata"), "annotations").put(annotation, Json.text(value));
        }
    }

    private static @Nullable Object restore(Map<String, @Nullable Object> tree, String annotation) {
        Map<String, @Nullable Object> metadata = Trees.object(tree, "metadata");
        Map<String, @Nullable Object> annotations = Trees.object(metadata, "annotations");
        if (!(annotations.remove(annotation) instanceof String text)) {
            return null;
        }
        if (annotations.isEmpty()) {
            metadata.remove("annotations");
        }
        try {
            return Json.parse(text.getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
        } catch (JsonException e) {
            return null;
        }
    }
}
