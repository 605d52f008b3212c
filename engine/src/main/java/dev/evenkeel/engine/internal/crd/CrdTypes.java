package dev.evenkeel.engine.internal.crd;

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

    static ResourceType type(JsonObject crd, ResourceType.Origin origin) {
        JsonObject spec = crd.object("spec");
        List<Version> versions = versions(spec).stream()
                .map(version -> version(spec, version))
                .sorted(Comparator.comparing(Version::name, Versions.BY_PREFERENCE))
                .toList();
        return new ResourceType(
                spec.string("group"),
                name(crd, "kind"),
                name(crd, "listKind"),
                name(crd, "plural"),
                name(crd, "singular"),
                names(crd).strings("shortNames"),
                names(crd).strings("categories"),
                "Namespaced".equals(spec.get("scope")),
                origin,
                ResourceType.Rules.CUSTOM,
                versions,
                spec.string("conversion", "strategy").equals("Webhook")
                        ? spec.findObject("conversion", "webhook")
                        : Optional.empty());
    }

    public static List<JsonObject> versions(JsonObject spec) {
        return spec.objects("versions");
    }

    /** Returns the accepted names; before acceptance, the requested ones. */
    private static JsonObject names(JsonObject crd) {
        boolean accepted = !crd.string("status", "acceptedNames", "plural").isEmpty();
        return accepted ? crd.object("status", "acceptedNames") : crd.object("spec", "names");
    }

    private static String name(JsonObject crd, String key) {
        String accepted = names(crd).string(key);
        return accepted.isEmpty() ? crd.string("spec", "names", key) : accepted;
    }

    private static Version version(JsonObject spec, JsonObject version) {
        return new Version(
                version.string("name"),
                version.bool("served"),
                version.bool("storage"),
                StructuralSchemas.root(version.object("schema", "openAPIV3Schema")),
                version.has("subresources", "status"),
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
        return version.objects("selectableFields").stream()
                .map(field -> field.string("jsonPath"))
                .map(path -> path.startsWith(".") ? path.substring(1) : path)
                .map(label -> new SelectableField(label, List.of(label.split("\\.", -1))))
                .toList();
    }

    private static List<Column> columns(JsonObject version) {
        List<Column> columns = new ArrayList<>();
        columns.add(NAME);
        for (JsonObject column : version.objects("additionalPrinterColumns")) {
            String path = column.string("jsonPath");
            String description = column.string("description");
            columns.add(new Column(
                    column.string("name"),
                    column.string("type"),
                    column.string("format"),
                    description.isEmpty()
                            ? "Custom resource definition column (in JSONPath format): " + path
                            : description,
                    (int) column.integer("priority"),
                    path));
        }
        if (columns.size() == 1) {
            columns.add(AGE);
        }
        return List.copyOf(columns);
    }

    private static String deprecation(JsonObject spec, JsonObject version) {
        if (!version.bool("deprecated")) {
            return "";
        }
        if (version.get("deprecationWarning") instanceof String warning) {
            return warning;
        }
        String group = spec.string("group") + "/";
        String kind = " " + spec.string("names", "kind");
        String name = version.string("name");
        String better = versions(spec).stream()
                .filter(v -> v.bool("served") && !v.bool("deprecated"))
                .map(v -> v.string("name"))
                .filter(v -> Versions.BY_PREFERENCE.compare(v, name) < 0)
                .min(Versions.BY_PREFERENCE)
                .map(v -> "; use " + group + v + kind)
                .orElse("");
        return group + name + kind + " is deprecated" + better;
    }
}
