package dev.evenkeel.engine.internal.crd;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.StructuralSchemas;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.ResourceType.Column;
import dev.evenkeel.engine.internal.type.ResourceType.Scale;
import dev.evenkeel.engine.internal.type.ResourceType.SelectableField;
import dev.evenkeel.engine.internal.type.ResourceType.Version;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Derives a resource type from a valid CustomResourceDefinition. */
public final class CrdTypes {
    private static final Column NAME = new Column(
            "Name",
            "string",
            "name",
            "Name must be unique within a namespace. Is required when creating resources, although some resources may "
                    + "allow a client to request the generation of an appropriate name automatically. Name is primarily "
                    + "intended for creation idempotence and configuration definition. Cannot be updated. More info: "
                    + "https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names",
            0,
            ".metadata.name");
    private static final Column AGE = new Column(
            "Age",
            "date",
            "",
            "CreationTimestamp is a timestamp representing the server time when this object was created. It is not "
                    + "guaranteed to be set in happens-before order across separate operations. Clients may not set this "
                    + "value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. "
                    + "Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/"
                    + "api-conventions.md#metadata",
            0,
            ".metadata.creationTimestamp");

    private CrdTypes() {}

    static ResourceType type(JsonObject crd) {
        JsonObject spec = crd.object("spec");
        String group = spec.string("group");
        List<Version> versions = new ArrayList<>();
        for (JsonObject version : versions(spec)) {
            versions.add(version(spec, version));
        }
        versions.sort(Comparator.comparing(Version::name, Versions.BY_PREFERENCE));
        return new ResourceType(
                group,
                name(crd, "kind"),
                name(crd, "listKind"),
                name(crd, "plural"),
                name(crd, "singular"),
                names(crd).strings("shortNames"),
                names(crd).strings("categories"),
                "Namespaced".equals(spec.get("scope")),
                ResourceType.Origin.CUSTOM,
                ResourceType.Rules.CUSTOM,
                versions);
    }

    public static List<JsonObject> versions(JsonObject spec) {
        List<JsonObject> versions = new ArrayList<>();
        if (spec.get("versions") instanceof List<?> list) {
            list.forEach(version -> Json.object(version).ifPresent(versions::add));
        }
        return versions;
    }

    /** Returns the accepted names; before acceptance, the requested ones. */
    private static JsonObject names(JsonObject crd) {
        boolean accepted = !crd.string("status", "acceptedNames", "plural").isEmpty();
        return Json.object(accepted ? crd.at("status", "acceptedNames") : crd.at("spec", "names"))
                .orElse(new JsonObject());
    }

    private static String name(JsonObject crd, String key) {
        String accepted = names(crd).string(key);
        return accepted.isEmpty() ? crd.string("spec", "names", key) : accepted;
    }

    private static Version version(JsonObject spec, JsonObject version) {
        JsonObject source = version.object("schema", "openAPIV3Schema");
        return new Version(
                version.string("name"),
                Boolean.TRUE.equals(version.get("served")),
                Boolean.TRUE.equals(version.get("storage")),
                StructuralSchemas.root(source),
                version.at("subresources", "status") != null,
                scale(version),
                selectableFields(version),
                columns(version),
                deprecation(spec, version));
    }

    private static Optional<Scale> scale(JsonObject version) {
        return version.findObject("subresources", "scale")
                .map(scale -> new Scale(
                        scale.string("specReplicasPath"),
                        scale.string("statusReplicasPath"),
                        scale.string("labelSelectorPath")));
    }

    private static List<SelectableField> selectableFields(JsonObject version) {
        List<SelectableField> fields = new ArrayList<>(0);
        if (version.get("selectableFields") instanceof List<?> list) {
            for (Object field : list) {
                String path = Json.string(field, "jsonPath");
                String label = path.startsWith(".") ? path.substring(1) : path;
                fields.add(new SelectableField(label, List.of(label.split("\\.", -1))));
            }
        }
        return List.copyOf(fields);
    }

    private static List<Column> columns(JsonObject version) {
        List<Column> columns = new ArrayList<>();
        columns.add(NAME);
        if (version.get("additionalPrinterColumns") instanceof List<?> list) {
            for (Object column : list) {
                String path = Json.string(column, "jsonPath");
                String description = Json.string(column, "description");
                columns.add(new Column(
                        Json.string(column, "name"),
                        Json.string(column, "type"),
                        Json.string(column, "format"),
                        description.isEmpty()
                                ? "Custom resource definition column (in JSONPath format): " + path
                                : description,
                        (int) Json.integer(column, "priority"),
                        path));
            }
        }
        if (columns.size() == 1) {
            columns.add(AGE);
        }
        return List.copyOf(columns);
    }

    private static String deprecation(JsonObject spec, JsonObject version) {
        if (!Boolean.TRUE.equals(version.get("deprecated"))) {
            return "";
        }
        if (version.get("deprecationWarning") instanceof String warning) {
            return warning;
        }
        String group = spec.string("group") + "/";
        String kind = " " + spec.string("names", "kind");
        String name = version.string("name");
        String better = versions(spec).stream()
                .filter(v -> Boolean.TRUE.equals(v.get("served")) && !Boolean.TRUE.equals(v.get("deprecated")))
                .map(v -> v.string("name"))
                .filter(v -> Versions.BY_PREFERENCE.compare(v, name) < 0)
                .min(Versions.BY_PREFERENCE)
                .map(v -> "; use " + group + v + kind)
                .orElse("");
        return group + name + kind + " is deprecated" + better;
    }
}
