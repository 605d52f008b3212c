package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
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
        KindStrategy.super.applyDefaults(tree);
        if (v1() && !tree.has("metadata", "annotations", METRICS)) {
            tree.withObject("spec").putIfAbsent("targetCPUUtilizationPercentage", 80L);
        }
        if (v1()) {
            // so that the annotations are as upstream writes them
            toV2(tree);
            toV1(tree);
        }
    }

    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        KindStrategy.super.prepareForCreate(tree, context);
        statusAnnotations(tree, new JsonObject());
    }

    @Override
    public void prepareForUpdate(JsonObject tree, JsonObject old, Context context) {
        statusAnnotations(tree, old);
    }

    /** Resets the annotations of v1 that hold parts of the status. */
    private void statusAnnotations(JsonObject tree, JsonObject old) {
        if (v1() && tree.object("metadata").has("annotations")) {
            JsonObject annotations = tree.object("metadata", "annotations");
            for (String part : List.of(CURRENT_METRICS, CONDITIONS)) {
                annotations.copyMember(part, old.object("metadata", "annotations"));
            }
            if (annotations.isEmpty()) {
                tree.object("metadata").remove("annotations");
            }
        }
    }

    @Override
    public void validate(Field root) {
        if (!v1()) {
            HorizontalPodAutoscalerRules.validate(root.at("spec"));
            return;
        }
        // upstream checks the form that has all fields
        JsonObject converted = root.object().copy();
        toV2(converted);
        List<FieldError> errors = new ArrayList<>();
        HorizontalPodAutoscalerRules.validate(Field.of(converted, errors).at("spec"));
        errors.forEach(root::add);
    }

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        root.at("status", "currentReplicas").notNegative();
        root.at("status", "desiredReplicas").notNegative();
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
        Object wanted = spec.remove("targetCPUUtilizationPercentage");
        JsonObject target = JsonObject.of("type", "Utilization", "averageUtilization", wanted);
        spec.setUnlessEmpty("metrics", metrics(wanted, "target", target, Json.array(restore(tree, METRICS))));
        if (AutoscalerMetrics.decapitalised(restore(tree, BEHAVIOR)) instanceof JsonObject behavior) {
            spec.put("behavior", behavior);
        }
        if (restore(tree, CONDITIONS) instanceof List<?> conditions) {
            status.put("conditions", conditions);
        }
        Object present = status.remove("currentCPUUtilizationPercentage");
        JsonObject reading = JsonObject.of("averageUtilization", present);
        List<@Nullable Object> kept = AutoscalerMetrics.toV2(Json.array(restore(tree, CURRENT_METRICS)), true);
        List<@Nullable Object> current = kept.isEmpty() ? metrics(present, "current", reading, List.of()) : kept;
        status.put("currentMetrics", current.isEmpty() ? null : current);
        if (status.integer("currentReplicas") == 0) {
            status.remove("currentReplicas");
        }
        status.putIfAbsent("desiredReplicas", 0L);
    }

    /** Returns the metrics kept in an annotation, after that of cpu utilisation if there is one. */
    private static List<@Nullable Object> metrics(
            @Nullable Object utilization, String field, JsonObject cpu, List<?> kept) {
        List<@Nullable Object> metrics = new ArrayList<>();
        if (utilization != null) {
            metrics.add(JsonObject.of("type", "Resource", "resource", JsonObject.of("name", "cpu", field, cpu)));
        }
        metrics.addAll(AutoscalerMetrics.toV2(kept, false));
        return metrics;
    }

    private static void toV1(JsonObject tree) {
        JsonObject spec = tree.withObject("spec");
        JsonObject status = tree.withObject("status");
        List<@Nullable Object> current = new ArrayList<>(status.array("currentMetrics"));
        List<@Nullable Object> others = rest(spec, "metrics", "target", "targetCPUUtilizationPercentage");
        keep(tree, METRICS, others.isEmpty() ? null : Json.text(AutoscalerMetrics.toV1(others, false)));
        Object behavior = spec.remove("behavior");
        keep(
                tree,
                BEHAVIOR,
                behavior == null
                        ? null
                        : InternalForm.text("autoscaling.v2.HorizontalPodAutoscalerBehavior", behavior));
        Object conditions = status.remove("conditions");
        keep(tree, CONDITIONS, conditions == null ? null : Json.text(conditions));
        var unused = rest(status, "currentMetrics", "current", "currentCPUUtilizationPercentage");
        keep(tree, CURRENT_METRICS, current.isEmpty() ? null : Json.text(AutoscalerMetrics.toV1(current, true)));
        status.putIfAbsent("currentReplicas", 0L);
        status.putIfAbsent("desiredReplicas", 0L);
    }

    /** Removes the metrics; sets the utilisation of cpu, and returns the other ones. */
    private static List<@Nullable Object> rest(JsonObject part, String metrics, String field, String utilization) {
        List<@Nullable Object> rest = new ArrayList<>();
        for (Object metric : part.array(metrics)) {
            Object value = Json.at(metric, "resource", field, "averageUtilization");
            if (!part.containsKey(utilization) && cpu(metric) && value != null) {
                part.put(utilization, value);
            } else {
                rest.add(metric);
            }
        }
        part.remove(metrics);
        return rest;
    }

    private static boolean cpu(@Nullable Object metric) {
        return Json.string(metric, "type").equals("Resource")
                && Json.string(metric, "resource", "name").equals("cpu");
    }

    private static void keep(JsonObject tree, String annotation, @Nullable String value) {
        if (value != null) {
            tree.withObject("metadata").withObject("annotations").put(annotation, value);
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
            return Json.parse(text);
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
        List<@Nullable Object> metrics = tree.array("spec", "metrics");
        List<@Nullable Object> current = tree.array("status", "currentMetrics");
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
            return "<unknown type>";
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
        boolean source = Json.at(current, field) != null;
        if (average != null && (type.equals("External") || type.equals("Object"))) {
            return amount(Json.at(reading, "averageValue"), false) + "/" + average + " (avg)";
        }
        String value = resource || type.equals("Pods") ? "averageValue" : "value";
        return prefix + amount(Json.at(reading, value), source) + "/" + amount(Json.at(target, value), true);
    }

    /** Returns an amount, or what upstream prints without one: that it is missing where there is a reading. */
    private static String amount(@Nullable Object value, boolean read) {
        return value != null ? value.toString() : read ? "<nil>" : "<unknown>";
    }
}
