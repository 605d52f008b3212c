package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Horizontal pod autoscalers of autoscaling/v1, which knows cpu utilisation only, and of autoscaling/v2. Fields that v1
 * does not have are stored in annotations of the v1 form, under upstream's keys, and are restored in the conversion to
 * v2.
 */
record HorizontalPodAutoscalerStrategy(KindFacts facts) implements KindStrategy {
    private static final String METRICS = "autoscaling.alpha.kubernetes.io/metrics";
    private static final String CURRENT_METRICS = "autoscaling.alpha.kubernetes.io/current-metrics";
    private static final String CONDITIONS = "autoscaling.alpha.kubernetes.io/conditions";
    private static final String BEHAVIOR = "autoscaling.alpha.kubernetes.io/behavior";

    private boolean v1() {
        return facts.version().name().equals("v1");
    }

    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        Trees.fill(spec, "minReplicas", 1L);
        if (v1()) {
            if (!Trees.has(tree, "metadata", "annotations", METRICS)) {
                Trees.fill(spec, "targetCPUUtilizationPercentage", 80L);
            }
            return;
        }
        if (Trees.list(spec, "metrics").isEmpty()) {
            Map<String, @Nullable Object> target = Trees.of("type", "Utilization", "averageUtilization", 80L);
            spec.put(
                    "metrics",
                    Trees.items(Trees.of("type", "Resource", "resource", Trees.of("name", "cpu", "target", target))));
        }
        Trees.with(
                spec,
                behavior -> {
                    Map<String, @Nullable Object> up = Trees.grow(behavior, "scaleUp");
                    Trees.fill(up, "stabilizationWindowSeconds", 0L);
                    Trees.fillText(up, "selectPolicy", "Max");
                    if (Trees.list(up, "policies").isEmpty()) {
                        up.put("policies", Trees.items(policy("Pods", 4), policy("Percent", 100)));
                    }
                    Map<String, @Nullable Object> down = Trees.grow(behavior, "scaleDown");
                    Trees.fillText(down, "selectPolicy", "Max");
                    if (Trees.list(down, "policies").isEmpty()) {
                        down.put("policies", Trees.items(policy("Percent", 100)));
                    }
                },
                "behavior");
    }

    private static Map<String, @Nullable Object> policy(String type, long value) {
        return Trees.of("type", type, "value", value, "periodSeconds", 15L);
    }

    @Override
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        for (String field : List.of("kind", "name")) {
            if (Json.string(tree, "spec", "scaleTargetRef", field).isEmpty()) {
                errors.required("spec.scaleTargetRef." + field);
            }
        }
        long min = Json.integer(tree, "spec", "minReplicas");
        long max = Json.integer(tree, "spec", "maxReplicas");
        if (min < 1) {
            errors.invalid("spec.minReplicas", min, "must be greater than or equal to 1");
        }
        if (max < 1) {
            errors.invalid("spec.maxReplicas", max, "must be greater than 0");
        }
        if (min > max) {
            errors.invalid("spec.maxReplicas", max, "must be greater than or equal to `minReplicas`");
        }
    }

    @Override
    public Map<String, @Nullable Object> convert(Map<String, @Nullable Object> tree) {
        Object from = tree.get("apiVersion");
        KindStrategy.super.convert(tree);
        if (from != null && !from.equals(tree.get("apiVersion"))) {
            if (v1()) {
                toV1(tree);
            } else {
                toV2(tree);
            }
        }
        return tree;
    }

    private static void toV2(Map<String, @Nullable Object> tree) {
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

    private static void toV1(Map<String, @Nullable Object> tree) {
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

    @Override
    public List<@Nullable Object> cells(Map<String, @Nullable Object> tree, Instant now) {
        Map<String, @Nullable Object> shown = tree;
        if (v1()) {
            shown = Json.copyObject(tree);
            toV2(shown);
        }
        return KindStrategy.super.cells(shown, now);
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        return column.equals("Targets")
                ? targets(tree)
                : Json.string(tree, "spec", "scaleTargetRef", "kind") + "/"
                        + Json.string(tree, "spec", "scaleTargetRef", "name");
    }

    private static String targets(Map<String, @Nullable Object> o) {
        List<@Nullable Object> metrics = Trees.list(o, "spec", "metrics");
        List<@Nullable Object> current = Trees.list(o, "status", "currentMetrics");
        if (metrics.isEmpty()) {
            return "<none>";
        }
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < Math.min(2, metrics.size()); i++) {
            shown.add(target(metrics.get(i), i < current.size() ? current.get(i) : null));
        }
        return String.join(", ", shown) + (metrics.size() > 2 ? " + " + (metrics.size() - 2) + " more..." : "");
    }

    private static String target(@Nullable Object metric, @Nullable Object current) {
        String type = Json.string(metric, "type");
        if (type.isEmpty()) {
            return "<unknown>";
        }
        String field = type.substring(0, 1).toLowerCase(Locale.ROOT) + type.substring(1);
        Object target = Json.at(metric, field, "target");
        Object reading = Json.at(current, field, "current");
        boolean resource = type.equals("Resource") || type.equals("ContainerResource");
        String prefix = resource ? Json.string(metric, field, "name") + ": " : "";
        Object average = Json.at(target, "averageValue");
        if (resource && average == null) {
            Object now = Json.at(reading, "averageUtilization");
            Object wanted = Json.at(target, "averageUtilization");
            return prefix + (now == null ? "<unknown>" : now + "%") + "/" + (wanted == null ? "<auto>" : wanted + "%");
        }
        if (average != null) {
            String suffix = type.equals("External") || type.equals("Object") ? " (avg)" : "";
            return prefix + orUnknown(Json.at(reading, "averageValue")) + "/" + average + suffix;
        }
        return orUnknown(Json.at(reading, "value")) + "/" + orUnknown(Json.at(target, "value"));
    }

    private static String orUnknown(@Nullable Object value) {
        return value == null ? "<unknown>" : value.toString();
    }
}
