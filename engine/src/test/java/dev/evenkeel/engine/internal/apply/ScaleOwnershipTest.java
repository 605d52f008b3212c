package dev.evenkeel.engine.internal.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ScaleOwnershipTest {
    private static final Map<String, String> PATHS = Map.of("g/v1", ".spec.n", "g/v2", ".spec.size", "g/v3", "");

    private final ScaleOwnership scale = new ScaleOwnership(v -> Optional.ofNullable(PATHS.get(v)));

    @Test
    void scaleShowsTheOwnersOfTheReplicas() {
        List<@Nullable Object> object = List.of(
                entry("applier", "Apply", "g/v1", "'f:spec':{'f:a':{},'f:n':{}}"),
                entry("updater", "Update", "g/v2", "'f:spec':{'f:size':{}}"),
                entry("other", "Update", "g/v1", "'f:spec':{'f:a':{}}"),
                entry("unscaled", "Update", "g/v3", "'f:spec':{'f:n':{}}"),
                entry("old", "Update", "g/v0", "'f:spec':{'f:n':{}}"));

        assertThat(scale.toScale(object))
                .containsExactly(
                        entry("applier", "Apply", "autoscaling/v1", "'f:spec':{'f:replicas':{}}"),
                        entry("updater", "Update", "autoscaling/v1", "'f:spec':{'f:replicas':{}}"));
    }

    @Test
    void scalingTakesOwnershipOfTheReplicas() {
        List<@Nullable Object> object = List.of(
                entry("applier", "Apply", "g/v1", "'f:spec':{'f:a':{},'f:n':{}}"),
                entry("updater", "Update", "g/v2", "'f:spec':{'f:size':{}}"));
        List<@Nullable Object> scaled =
                List.of(entry("scaler", "Update", "autoscaling/v1", "'f:spec':{'f:replicas':{}}"));

        JsonObject taken = entry("scaler", "Update", "g/v1", "'f:spec':{'f:n':{}}");
        taken.remove("time");
        assertThat(scale.toObject(object, scaled, "g/v1"))
                .containsExactly(entry("applier", "Apply", "g/v1", "'f:spec':{'f:a':{}}"), taken);
    }

    @Test
    void ownersThatKeepTheReplicasKeepTheirEntries() {
        List<@Nullable Object> object = List.of(
                entry("applier", "Apply", "g/v2", "'f:spec':{'f:size':{}}"),
                entry("updater", "Update", "g/v1", "'f:spec':{'f:a':{},'f:n':{}}"),
                entry("unscaled", "Update", "g/v3", "'f:spec':{'f:n':{}}"));

        assertThat(scale.toObject(object, scale.toScale(object), "g/v1")).containsExactlyInAnyOrderElementsOf(object);
    }

    @Test
    void malformedRecordsCountAsNone() {
        assertThat(scale.toScale(new ArrayList<>(List.of("x")))).isEmpty();
    }

    private static JsonObject entry(String manager, String operation, String apiVersion, String fields) {
        JsonObject entry = SchemaText.tree(
                "{'manager':'%s','operation':'%s','apiVersion':'%s','time':'2026-01-01T00:00:00Z','fieldsType':'FieldsV1'}"
                        .formatted(manager, operation, apiVersion));
        entry.put("fieldsV1", Json.copy(SchemaText.tree("{" + fields + "}")));
        return entry;
    }
}
