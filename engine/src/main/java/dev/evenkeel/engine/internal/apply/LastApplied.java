package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The annotation with the last configuration of {@code kubectl apply} when it merges on the client's side. It lets
 * {@code kubectl apply --server-side} take over its own objects without conflicts, and is kept up to date afterwards so
 * that users can return to client-side apply.
 */
final class LastApplied {
    private static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";
    private static final int MAX_ANNOTATIONS = 256 * 1024;

    private LastApplied() {}

    /**
     * Returns the fields of the last configuration which the object still has with the same value; empty without one.
     */
    static FieldSet fields(JsonObject live, String apiVersion, OwnershipSchema shape) {
        String text = live.string("metadata", "annotations", ANNOTATION);
        if (text.isEmpty()) {
            return FieldSet.EMPTY;
        }
        try {
            JsonObject last = Json.parseObject(text.getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
            if (!last.string("apiVersion").equals(apiVersion)) {
                return FieldSet.EMPTY;
            }
            Conformance.check(live, shape, false);
            Conformance.check(last, shape, false);
            Comparison comparison = Comparison.of(last, live, shape);
            return FieldCollector.collect(last, shape)
                    .difference(comparison.modified())
                    .difference(comparison.added())
                    .difference(comparison.removed());
        } catch (JsonException | UntypedException e) {
            return FieldSet.EMPTY;
        }
    }

    /** Sets the annotation to the configuration if the object has it, and returns true if that changed the object. */
    static boolean update(JsonObject object, JsonObject patch) {
        String before = object.string("metadata", "annotations", ANNOTATION);
        if (before.isEmpty()) {
            return false;
        }
        JsonObject annotations = object.object("metadata", "annotations");
        JsonObject applied = patch.sorted();
        applied.object("metadata", "annotations").remove(ANNOTATION);
        String text = Json.html(applied) + "\n";
        annotations.put(ANNOTATION, text);
        long size = 0;
        for (Map.Entry<String, @Nullable Object> entry : annotations.entrySet()) {
            size += entry.getKey().getBytes(StandardCharsets.UTF_8).length;
            size += entry.getValue() instanceof String value ? value.getBytes(StandardCharsets.UTF_8).length : 0;
        }
        if (size > MAX_ANNOTATIONS) {
            annotations.remove(ANNOTATION);
            return true;
        }
        return !text.equals(before);
    }
}
