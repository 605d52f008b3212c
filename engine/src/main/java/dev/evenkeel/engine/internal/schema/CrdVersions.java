package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.internal.crd.CrdTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The versions of a definition in the form that upstream validates: properties that all versions share (a schema,
 * subresources, columns, selectable fields; with one version, everything) belong to the definition and not to a
 * version. The fields of errors depend on it.
 *
 * @param shared those of the {@link #PARTS} that are the same in all versions, or missing in all
 */
public record CrdVersions(JsonObject spec, List<JsonObject> versions, Set<String> shared) {
    /** The properties of versions that the definition may have instead. */
    public static final List<String> PARTS =
            List.of("schema", "subresources", "additionalPrinterColumns", "selectableFields");

    /** A schema and its path. */
    public record Located(String path, JsonObject source, boolean status) {}

    public static CrdVersions of(JsonObject crd) {
        JsonObject spec = crd.object("spec");
        List<JsonObject> versions = CrdTypes.versions(spec);
        return new CrdVersions(
                spec,
                versions,
                PARTS.stream().filter(part -> isShared(versions, part)).collect(Collectors.toSet()));
    }

    private static boolean isShared(List<JsonObject> versions, String part) {
        // a missing array is an empty one
        return versions.stream()
                        .map(version -> List.of(version.findObject(part), version.array(part)))
                        .distinct()
                        .count()
                == 1;
    }

    /** Returns all schemas, each once. */
    public List<Located> schemas() {
        List<Located> schemas = new ArrayList<>();
        if (shared.contains("schema")) {
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
