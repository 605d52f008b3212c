package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.internal.crd.CrdTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The versions of a definition in the form that upstream validates: properties that all versions share (a schema,
 * subresources, columns, selectable fields; with one version, everything) belong to the definition and not to a
 * version. The fields of errors depend on it.
 *
 * @param spec the spec of the definition
 * @param versions the versions
 * @param sharedSchema whether all versions have the same schema, or none
 * @param sharedSubresources whether all versions have the same subresources, or none
 * @param sharedColumns whether all versions have the same columns, or none
 * @param sharedSelectableFields whether all versions have the same selectable fields, or none
 */
public record CrdVersions(
        JsonObject spec,
        List<JsonObject> versions,
        boolean sharedSchema,
        boolean sharedSubresources,
        boolean sharedColumns,
        boolean sharedSelectableFields) {

    /** A schema and its path. */
    public record Located(String path, JsonObject source, boolean status) {}

    public static CrdVersions of(JsonObject crd) {
        JsonObject spec = crd.object("spec");
        List<JsonObject> versions = CrdTypes.versions(spec);
        return new CrdVersions(
                spec,
                versions,
                shared(versions, v -> v.get("schema")),
                shared(versions, v -> v.get("subresources")),
                shared(versions, v -> v.array("additionalPrinterColumns")),
                shared(versions, v -> v.array("selectableFields")));
    }

    private static boolean shared(List<JsonObject> versions, Function<JsonObject, @Nullable Object> part) {
        return !versions.isEmpty()
                && versions.stream()
                        .allMatch(version -> Objects.equals(part.apply(version), part.apply(versions.getFirst())));
    }

    /** Returns all schemas, each once. */
    public List<Located> schemas() {
        List<Located> schemas = new ArrayList<>();
        if (sharedSchema) {
            boolean status = versions.stream().anyMatch(CrdVersions::hasStatus);
            schema(versions.getFirst())
                    .ifPresent(source -> schemas.add(new Located("spec.validation.openAPIV3Schema", source, status)));
            return schemas;
        }
        for (int i = 0; i < versions.size(); i++) {
            JsonObject version = versions.get(i);
            String path = "spec.versions[" + i + "].schema.openAPIV3Schema";
            schema(version).ifPresent(source -> schemas.add(new Located(path, source, hasStatus(version))));
        }
        return schemas;
    }

    public static Optional<JsonObject> schema(JsonObject version) {
        return version.findObject("schema", "openAPIV3Schema");
    }

    public static boolean hasStatus(JsonObject version) {
        return version.at("subresources", "status") != null;
    }
}
