package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
    public void applyDefaults(JsonObject tree) {
        JsonObject spec = tree.withObject("spec");
        spec.putIfAbsent("minReplicas", 1L);
        if (v1()) {
            if (!tree.has("metadata", "annotations", METRICS)) {
                spec.putIfAbsent("targetCPUUtilizationPercentage", 80L);
            }
            return;
        }
        if (spec.array("metrics").isEmpty()) {
            JsonObject target = JsonObject.of("type", "Utilization", "averageUtilization", 80L);
            spec.put(
                    "metrics",
                    Trees.items(JsonObject.of(
                            "type", "Resource", "resource", JsonObject.of("name", "cpu", "target", target))));
        }
        spec.findObject("behavior").ifPresent(behavior -> {
            JsonObject up = behavior.withObject("scaleUp");
            up.putIfAbsent("stabilizationWindowSeconds", 0L);
            up.setIfEmpty("selectPolicy", "Max");
            if (up.array("policies").isEmpty()) {
                up.put("policies", Trees.items(policy("Pods", 4), policy("Percent", 100)));
            }
            JsonObject down = behavior.withObject("scaleDown");
            down.setIfEmpty("selectPolicy", "Max");
            if (down.array("policies").isEmpty()) {
                down.put("policies", Trees.items(policy("Percent", 100)));
            }
        });
    }

    private static JsonObject policy(String type, long value) {
        return JsonObject.of("type", type, "value", value, "periodSeconds", 15L);
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        for (String field : List.of("kind", "name")) {
            if (tree.string("spec", "scaleTargetRef", field).isEmpty()) {
                errors.required("spec.scaleTargetRef." + field);
            }
        }
        long min = tree.integer("spec", "minReplicas");
        long max = tree.integer("spec", "maxReplicas");
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
    public JsonObject convert(JsonObject tree) {
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

    private static void toV2(JsonObject tree) {
        JsonObject spec = tree.withObject("spec");
        JsonObject status = tree.withObject("status");
        List<@Nullable Object> metrics = new ArrayList<>();
        Object utilization = spec.remove("targetCPUUtilizationPercentage");
        if (utilization != null) {
            JsonObject target = JsonObject.of("type", "Utilization", "averageUtilization", utilization);
            metrics.add(JsonObject.of("type", "Resource", "resource", JsonObject.of("name", "cpu", "target", target)));
        }
        Object kept = restore(tree, METRICS);
        if (kept instanceof List<?> list) {
            metrics.addAll(list);
        }
        if (!metrics.isEmpty()) {
            spec.put("metrics", metrics);
        }
        Object behavior = restore(tree, BEHAVIOR);
        if (behavior instanceof JsonObject) {
            spec.put("behavior", behavior);
        }
        Object conditions = restore(tree, CONDITIONS);
        if (conditions instanceof List<?>) {
            status.put("conditions", conditions);
        }
        List<@Nullable Object> current = new ArrayList<>();
        Object currentUtilization = status.remove("currentCPUUtilizationPercentage");
        if (currentUtilization != null) {
            current.add(JsonObject.of(
                    "type",
                    "Resource",
                    "resource",
                    JsonObject.of("name", "cpu", "current", JsonObject.of("averageUtilization", currentUtilization))));
        }
        Object keptCurrent = restore(tree, CURRENT_METRICS);
        if (keptCurrent instanceof List<?> list) {
            current.addAll(list);
        }
        status.put("currentMetrics", current.isEmpty() ? null : current);
        if (status.integer("currentReplicas") == 0) {
            status.remove("currentReplicas");
        }
        status.putIfAbsent("desiredReplicas", 0L);
    }

    private static void toV1(JsonObject tree) {
        JsonObject spec = tree.withObject("spec");
        JsonObject status = tree.withObject("status");
        List<@Nullable Object> rest = new ArrayList<>();
        for (Object metric : spec.array("metrics")) {
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
        for (Object metric : status.array("currentMetrics")) {
            Object utilization = Json.at(metric, "resource", "current", "averageUtilization");
            if (!status.containsKey("currentCPUUtilizationPercentage") && cpu(metric) && utilization != null) {
                status.put("currentCPUUtilizationPercentage", utilization);
            } else {
                restCurrent.add(metric);
            }
        }
        status.remove("currentMetrics");
        keep(tree, CURRENT_METRICS, restCurrent.isEmpty() ? null : restCurrent);
        status.putIfAbsent("currentReplicas", 0L);
        status.putIfAbsent("desiredReplicas", 0L);
    }

    private static boolean cpu(@Nullable Object metric) {
        return Json.string(metric, "type").equals("Resource")
                && Json.string(metric, "resource", "name").equals("cpu");
    }

    private static void keep(JsonObject tree, String annotation, @Nullable Object value) {
        if (value != null) {
            tree.withObject("metadata").withObject("annotations").put(annotation, Json.text(value));
        }
    }

    private static @Nullable Object restore(JsonObject tree, String annotation) {
        JsonObject metadata = tree.object("metadata");
        JsonObject annotations = metadata.object("annotations");
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
    public List<@Nullable Object> cells(JsonObject tree, Instant now) {
        JsonObject shown = tree;
        if (v1()) {
            shown = tree.copy();
            toV2(shown);
        }
        return KindStrategy.super.cells(shown, now);
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return column.equals("Targets")
                ? targets(tree)
                : tree.string("spec", "scaleTargetRef", "kind") + "/" + tree.string("spec", "scaleTargetRef", "name");
    }

    private static String targets(JsonObject o) {
        List<@Nullable Object> metrics = o.array("spec", "metrics");
        List<@Nullable Object> current = o.array("status", "currentMetrics");
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
