package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Cells of horizontal pod autoscalers of both versions. */
final class AutoscalerColumns {
    private AutoscalerColumns() {}

    static List<@Nullable Object> cells(Map<String, @Nullable Object> given, Instant now) {
        Map<String, @Nullable Object> o = given;
        if (Json.string(given, "apiVersion").equals("autoscaling/v1")) {
            o = Json.copyObject(given);
            AutoscalerConversion.toV2(o);
        }
        return BuiltinColumns.row(
                BuiltinColumns.name(o),
                Json.string(o, "spec", "scaleTargetRef", "kind") + "/"
                        + Json.string(o, "spec", "scaleTargetRef", "name"),
                targets(o),
                BuiltinColumns.orElse(Json.at(o, "spec", "minReplicas"), "<unset>"),
                Json.integer(o, "spec", "maxReplicas"),
                Json.integer(o, "status", "currentReplicas"),
                BuiltinColumns.age(o, now));
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
            return prefix + BuiltinColumns.orElse(Json.at(reading, "averageValue"), "<unknown>") + "/" + average
                    + suffix;
        }
        return BuiltinColumns.orElse(Json.at(reading, "value"), "<unknown>") + "/"
                + BuiltinColumns.orElse(Json.at(target, "value"), "<unknown>");
    }
}
