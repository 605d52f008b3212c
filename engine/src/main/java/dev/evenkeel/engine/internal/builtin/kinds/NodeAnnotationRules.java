package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rules of the annotations of nodes that hold documents: former taints, and pods that a node avoids. */
final class NodeAnnotationRules {
    private static final String TAINTS = "scheduler.alpha.kubernetes.io/taints";
    private static final String AVOIDED = "scheduler.alpha.kubernetes.io/preferAvoidPods";

    private NodeAnnotationRules() {}

    static void validate(Field annotations) {
        read(annotations, annotations, TAINTS)
                .ifPresent(taints -> NodeStrategy.taints(annotations.with(TAINTS, taints)));
        read(annotations, annotations.at("AvoidPods"), AVOIDED)
                .map(avoided -> avoided instanceof JsonObject object ? object.get("preferAvoidPods") : null)
                .ifPresent(entries -> annotations.with(AVOIDED, entries).items().forEach(NodeAnnotationRules::avoided));
    }

    /** Reads an annotation, unless it is empty; that it cannot be read is an error of another field. */
    private static Optional<Object> read(Field annotations, Field reported, String key) {
        String text = annotations.entry(key).text();
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(Json.parse(text.getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT));
        } catch (JsonException e) {
            reported.invalid(key, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private static void avoided(Field entry) {
        @Nullable Object controller = entry.at("podSignature", "podController").value();
        Field signature = entry.at("PodSignature");
        if (!(controller instanceof JsonObject owner)) {
            signature.missing();
        } else if (!owner.bool("controller")) {
            signature.at("PodController", "Controller").invalid(false, "must point to a controller");
        }
    }
}
