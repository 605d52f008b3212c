package dev.evenkeel.engine.internal.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.SharedData;
import dev.evenkeel.engine.internal.builtin.BuiltinDecoder;
import dev.evenkeel.engine.internal.builtin.BuiltinResource;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The fields that a creator owns of each built-in kind, compared with recordings of kube-apiserver. */
class CreatedOwnershipTest {
    /** Fields that the server's admission plugins and strategies add after ownership was recorded. */
    private static final Pattern ADDED_LATER = Pattern.compile(String.join(
            "|",
            "Namespace .spec.finalizers",
            "Pod .spec.(preemptionPolicy|priority|serviceAccount|serviceAccountName|tolerations|volumes).*",
            "Pod .spec.(c|initC)ontainers\\[name=\"\\w\"].volumeMounts.*",
            "Service .spec.(clusterIPs?|ipFamilies|ipFamilyPolicy|ports\\[[^]]*].nodePort)",
            "(PersistentVolume|PersistentVolumeClaim|VolumeAttributesClass) .metadata.finalizers.*",
            "Node .spec.taints",
            "Job .(metadata|spec.template.metadata).labels.*",
            "Job .spec.selector",
            "(TokenReview|SelfSubjectAccessReview) .status.*"));

    @Test
    void matchesTheRecordedOwnership() throws IOException {
        JsonLimits limits = new JsonLimits(1 << 24, 500, 1 << 24, 1000, 50);
        Object data = Json.parse(Files.readAllBytes(SharedData.of("kubernetes-1.36/defaults.json")), limits);
        List<String> differences = new ArrayList<>();
        int compared = 0;
        for (Object pair : Json.asArray(Json.at(data, "pairs"))) {
            JsonObject created = Json.asObject(Json.at(pair, "created"));
            if (created.at("metadata", "managedFields") instanceof List<?> recorded) {
                compared++;
                FieldSet expected = FieldSet.parse(Json.at(recorded.getFirst(), "fieldsV1"));
                FieldSet actual = owned(created, Json.asObject(Json.at(pair, "create")));
                String kind = created.string("kind");
                actual.difference(expected).forEach((path, node) -> {
                    if (!ADDED_LATER.matcher(kind + " " + path).matches()) {
                        differences.add(kind + ": must not be owned: " + path);
                    }
                });
                expected.difference(actual).forEach((path, node) -> differences.add(kind + ": must be owned: " + path));
            }
        }
        assertThat(differences).isEmpty();
        assertThat(compared).isGreaterThan(80);
    }

    private static FieldSet owned(JsonObject created, JsonObject request) {
        String apiVersion = created.string("apiVersion");
        BuiltinResource resource = resource(apiVersion, created.string("kind"));
        JsonObject blank = FieldOwnership.blank(apiVersion, resource.kind());
        BuiltinDecoder.normalize(blank, resource.definition());
        FieldOwnership ownership = new FieldOwnership(
                apiVersion,
                resource.kind(),
                "",
                blank,
                resource.resetFields(),
                version -> BuiltinTypes.schema(resource.definition()),
                FieldOwnership.Conversion.NONE);
        JsonObject object = created.copy();
        object.object("metadata").remove("managedFields");
        restoreEmptyLists(object, request);
        List<@Nullable Object> entries = ownership.updated(Optional.empty(), object, "tester", "1970-01-01T00:00:00Z");
        return entries.isEmpty() ? FieldSet.EMPTY : FieldSet.parse(Json.at(entries.getFirst(), "fieldsV1"));
    }

    /** Restores empty lists of the request, which are owned, though storage returns them as null. */
    private static void restoreEmptyLists(JsonObject object, JsonObject request) {
        request.forEach((name, sent) -> {
            if (sent instanceof List<?> list && list.isEmpty()) {
                object.computeIfAbsent(name, n -> new ArrayList<@Nullable Object>());
            } else if (sent instanceof Map<?, ?> map && object.get(name) instanceof Map<?, ?> below) {
                restoreEmptyLists(Json.asObject(below), Json.asObject(map));
            }
        });
    }

    private static BuiltinResource resource(String apiVersion, String kind) {
        return BuiltinTypes.all().stream()
                .flatMap(type -> type.versions().stream()
                        .filter(version -> type.apiVersion(version).equals(apiVersion))
                        .filter(version -> type.kind().equals(kind))
                        .map(version -> BuiltinTypes.resource(type, version).orElseThrow()))
                .findFirst()
                .orElseThrow();
    }
}
