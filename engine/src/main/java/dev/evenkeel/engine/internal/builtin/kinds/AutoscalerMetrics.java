package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of autoscalers in the form that autoscaling/v1 keeps in annotations, where each kind of metric has its own
 * names for what autoscaling/v2 calls its metric and its target.
 */
final class AutoscalerMetrics {
    private AutoscalerMetrics() {}

    /** Converts metrics, or readings of metrics, from v2 to v1. */
    static List<@Nullable Object> toV1(List<?> metrics, boolean readings) {
        List<@Nullable Object> converted = new ArrayList<>();
        for (Object metric : metrics) {
            JsonObject tree = Json.asObject(metric);
            String kind = member(tree);
            JsonObject shown = JsonObject.of("type", tree.string("type"));
            if (!kind.isEmpty()) {
                shown.put(kind, source(kind, tree.object(kind), readings));
            }
            converted.add(shown);
        }
        return converted;
    }

    private static String member(JsonObject metric) {
        return List.of("object", "pods", "resource", "containerResource", "external").stream()
                .filter(metric::has)
                .findFirst()
                .orElse("");
    }

    private static JsonObject source(String kind, JsonObject source, boolean readings) {
        String prefix = readings ? "current" : "target";
        JsonObject target = source.object(prefix);
        Object average = target.get("averageValue");
        Object value = target.get("value");
        JsonObject metric = source.object("metric");
        JsonObject shown = new JsonObject();
        switch (kind) {
            case "object" -> {
                JsonObject described = source.object("describedObject");
                shown.put(
                        "target",
                        JsonObject.of("kind", described.string("kind"), "name", described.string("name"))
                                .setUnlessEmpty("apiVersion", described.get("apiVersion")));
                shown.put("metricName", metric.string("name"));
                shown.put(prefix + "Value", value == null ? "0" : value);
                shown.setUnlessEmpty("selector", metric.get("selector"));
                shown.setUnlessEmpty("averageValue", average);
            }
            case "pods" -> {
                shown.put("metricName", metric.string("name"));
                shown.put(prefix + "AverageValue", average == null ? "0" : average);
                shown.setUnlessEmpty("selector", metric.get("selector"));
            }
            case "external" -> {
                shown.put("metricName", metric.string("name"));
                shown.setUnlessEmpty("metricSelector", metric.get("selector"));
                Object amount = readings && value == null ? "0" : value;
                shown.setUnlessEmpty(prefix + "Value", amount);
                shown.setUnlessEmpty(prefix + "AverageValue", average);
            }
            default -> {
                shown.put("name", source.string("name"));
                shown.setUnlessEmpty(prefix + "AverageUtilization", target.get("averageUtilization"));
                Object amount = readings && average == null ? "0" : average;
                shown.setUnlessEmpty(prefix + "AverageValue", amount);
                shown.setUnlessEmpty("container", source.get("container"));
            }
        }
        return shown;
    }

    /** Converts metrics, or readings of metrics, from v1 to v2. */
    static List<@Nullable Object> toV2(List<?> metrics, boolean readings) {
        List<@Nullable Object> converted = new ArrayList<>();
        for (Object metric : metrics) {
            JsonObject tree = Json.object(metric).orElseGet(JsonObject::new);
            String kind = member(tree);
            JsonObject whole = JsonObject.of("type", tree.string("type"));
            if (!kind.isEmpty()) {
                whole.put(kind, whole(kind, tree.object(kind), readings ? "current" : "target"));
            }
            converted.add(whole);
        }
        return converted;
    }

    private static JsonObject whole(String kind, JsonObject source, String prefix) {
        JsonObject target = new JsonObject();
        Object utilization = source.get(prefix + "AverageUtilization");
        Object average = source.get(kind.equals("object") ? "averageValue" : prefix + "AverageValue");
        Object value = source.get(prefix + "Value");
        if (prefix.equals("target")) {
            target.put("type", utilization != null ? "Utilization" : average != null ? "AverageValue" : "Value");
        }
        boolean unset = "0".equals(average) && utilization != null;
        target.setUnlessEmpty("averageUtilization", utilization);
        target.setUnlessEmpty("averageValue", unset ? null : average);
        target.setUnlessEmpty("value", average != null && "0".equals(value) ? null : value);
        JsonObject whole = new JsonObject();
        if (source.has("metricName")) {
            Object selector = source.get(kind.equals("external") ? "metricSelector" : "selector");
            whole.put(
                    "metric", JsonObject.of("name", source.string("metricName")).setUnlessEmpty("selector", selector));
        }
        whole.setUnlessEmpty("describedObject", kind.equals("object") ? source.get("target") : null);
        whole.setUnlessEmpty("name", source.get("name"));
        whole.setUnlessEmpty("container", source.get("container"));
        whole.put(prefix, target);
        return whole;
    }

    /** Returns a tree with names that begin with a small letter, and without nulls. */
    static @Nullable Object decapitalised(@Nullable Object tree) {
        return switch (tree) {
            case JsonObject object -> {
                JsonObject result = new JsonObject();
                for (Map.Entry<String, @Nullable Object> member : object.entrySet()) {
                    if (member.getValue() != null && !member.getKey().isEmpty()) {
                        String name = member.getKey();
                        result.put(
                                Character.toLowerCase(name.charAt(0)) + name.substring(1),
                                decapitalised(member.getValue()));
                    }
                }
                yield result;
            }
            case List<?> list -> {
                List<@Nullable Object> items = new ArrayList<>();
                list.forEach(item -> items.add(decapitalised(item)));
                yield items;
            }
            case null, default -> tree;
        };
    }
}
