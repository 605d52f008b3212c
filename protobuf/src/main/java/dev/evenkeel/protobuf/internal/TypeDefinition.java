package dev.evenkeel.protobuf.internal;

import com.google.protobuf.Descriptors.Descriptor;
import dev.evenkeel.engine.internal.crd.Crds;
import dev.evenkeel.engine.internal.crd.Versions;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.protobuf.type.v1.Column;
import dev.evenkeel.protobuf.type.v1.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Derives the resource type of messages, in the form of a CustomResourceDefinition, so that objects behave as custom
 * resources do.
 */
final class TypeDefinition {
    private final List<TypeOptions> versions;
    private final TypeOptions storage;
    private final SpecSchema schemas;
    private final Optional<JsonObject> defaults;

    /**
     * @param versions of the type, in any order
     * @param defaults values of fields of the storage version
     */
    TypeDefinition(List<TypeOptions> versions, TypeOptions storage, Comments comments, Optional<JsonObject> defaults) {
        this.versions = versions;
        this.storage = storage;
        this.schemas = new SpecSchema(comments);
        this.defaults = defaults;
    }

    ResourceType type() {
        return Crds.resourceType(definition(), ResourceType.Origin.REGISTERED);
    }

    /** Returns the definition of the type. */
    JsonObject definition() {
        List<Object> all = new ArrayList<>();
        versions.forEach(version -> all.add(version(version)));
        JsonObject names = JsonObject.of(
                "plural",
                storage.plural(),
                "singular",
                storage.singular(),
                "kind",
                storage.kind(),
                "listKind",
                storage.kind() + "List",
                "shortNames",
                new ArrayList<Object>(storage.options().getShortNamesList()),
                "categories",
                new ArrayList<Object>(storage.options().getCategoriesList()));
        JsonObject spec = JsonObject.of(
                "group",
                storage.apiGroup(),
                "scope",
                storage.namespaced() ? "Namespaced" : "Cluster",
                "names",
                names,
                "versions",
                all);
        return JsonObject.of(
                "metadata",
                JsonObject.of("name", storage.plural() + "." + storage.apiGroup()),
                "spec",
                spec,
                "status",
                JsonObject.of("acceptedNames", names.copy()));
    }

    private JsonObject version(TypeOptions version) {
        JsonObject root = JsonObject.of("type", "object");
        root.setUnlessEmpty("description", schemas.description(version.message()));
        JsonObject spec = spec(version);
        root.put(
                "properties",
                JsonObject.of("spec", spec, DataFormat.UNKNOWN, unknownFields(), "status", status(version)));
        JsonObject result = JsonObject.of(
                "name",
                version.version(),
                "served",
                !version.options().getNotServed(),
                "storage",
                version.equals(storage),
                "schema",
                JsonObject.of("openAPIV3Schema", root),
                "subresources",
                JsonObject.of("status", new JsonObject()));
        String deprecation = version.options().getDeprecation();
        if (!deprecation.isEmpty()) {
            result.set("deprecated", true).put("deprecationWarning", deprecation);
        }
        List<Object> columns = new ArrayList<>();
        version.options().getColumnsList().forEach(column -> columns.add(column(version, column, root)));
        result.put("additionalPrinterColumns", columns);
        return result;
    }

    private JsonObject spec(TypeOptions version) {
        JsonObject spec = schemas.message(version.message());
        String name = version.message().getFullName();
        spec.put("description", "The data: the message " + name + ".");
        if (version.equals(storage) && defaults.isPresent()) {
            JsonObject properties = spec.object("properties");
            defaults.get().forEach((field, value) -> properties.object(field).put("default", value));
            spec.put("default", new JsonObject());
        }
        return spec;
    }

    private static JsonObject unknownFields() {
        JsonObject part = JsonObject.of(
                "path",
                text("The JSON pointer of the part of the object."),
                "item",
                text("A digest of the item of a list that the part is in."),
                "data",
                text("The encoded fields.").set("format", "byte"));
        return JsonObject.of(
                "type",
                "array",
                "description",
                "Fields of the binary form that the definition of the type does not have, for each part of the spec.",
                "items",
                JsonObject.of(
                        "type",
                        "object",
                        "properties",
                        part,
                        "required",
                        new ArrayList<Object>(List.of("path", "data"))));
    }

    private JsonObject status(TypeOptions version) {
        JsonObject properties = part();
        for (Status status : version.options().getStatusList()) {
            JsonObject fields = fields(version, status);
            if (status.getKey().isEmpty()) {
                properties.putAll(fields);
            } else if (properties.containsKey(status.getKey())) {
                throw new IllegalArgumentException(
                        "message " + version.message().getFullName() + ", option status: the key " + status.getKey()
                                + " occurs twice, or is a field of every status");
            } else {
                JsonObject all = part();
                all.putAll(fields);
                properties.put(status.getKey(), JsonObject.of("type", "object", "properties", all));
            }
        }
        return JsonObject.of(
                "type",
                "object",
                "description",
                "What controllers report, each under a key of its own.",
                "properties",
                properties,
                "x-kubernetes-preserve-unknown-fields",
                true);
    }

    private JsonObject fields(TypeOptions version, Status status) {
        if (status.getMessage().isEmpty()) {
            return new JsonObject();
        }
        Descriptor found = Messages.find(version.message().getFile(), status.getMessage())
                .orElseThrow(() -> new IllegalArgumentException("message "
                        + version.message().getFullName() + ", option status: there is no message "
                        + status.getMessage() + " in the file or its imports; give its full name"));
        return schemas.properties(found);
    }

    /** Returns the fields of every part of the status. */
    private static JsonObject part() {
        JsonObject condition = JsonObject.of(
                "type", text("What the condition is about, such as Ready."),
                "status", text("True, False or Unknown."),
                "reason", text("A word for programs."),
                "message", text("A sentence for people."),
                "lastTransitionTime", text("When the status changed.").set("format", "date-time"),
                "observedGeneration", generation(),
                "resource",
                        JsonObject.of(
                                "type",
                                "object",
                                "description",
                                "The object that the condition is about.",
                                "x-kubernetes-preserve-unknown-fields",
                                true));
        condition.object("status").put("enum", new ArrayList<Object>(List.of("True", "False", "Unknown")));
        JsonObject conditions = JsonObject.of(
                "type",
                "array",
                "items",
                JsonObject.of(
                        "type",
                        "object",
                        "properties",
                        condition,
                        "required",
                        new ArrayList<Object>(List.of("type", "status"))),
                "x-kubernetes-list-type",
                "map",
                "x-kubernetes-list-map-keys",
                new ArrayList<Object>(List.of("type")));
        return JsonObject.of(
                "observedGeneration",
                generation(),
                "conditions",
                conditions,
                "updatedAt",
                text("When it was written.").set("format", "date-time"));
    }

    private static JsonObject generation() {
        return JsonObject.of(
                "x-kubernetes-int-or-string", true, "description", "The generation of the object that it is about.");
    }

    private static JsonObject text(String description) {
        return JsonObject.of("type", "string", "description", description);
    }

    private static JsonObject column(TypeOptions version, Column column, JsonObject root) {
        if (column.getName().isEmpty() || !column.getPath().startsWith(".")) {
            throw new IllegalArgumentException("message " + version.message().getFullName()
                    + ", option columns: needs a name, and a path such as \".spec.name\": " + column.getPath());
        }
        JsonObject field = root;
        for (String step : column.getPath().substring(1).split("\\.", -1)) {
            field = field.object("properties").object(step);
        }
        String type = column.getType().isEmpty() ? type(field) : column.getType();
        return JsonObject.of("name", column.getName(), "type", type, "jsonPath", column.getPath())
                .setUnlessEmpty(
                        "description",
                        column.getDescription().isEmpty() ? field.string("description") : column.getDescription())
                .set("priority", (long) column.getPriority());
    }

    private static String type(JsonObject field) {
        if (field.string("format").equals("date-time")) {
            return "date";
        }
        return switch (field.string("type")) {
            case "integer" -> "integer";
            case "boolean" -> "boolean";
            default -> "string";
        };
    }

    /** Returns the options of the storage version among those of a type, which must agree otherwise. */
    static TypeOptions storage(List<TypeOptions> versions) {
        List<TypeOptions> stored = versions.stream()
                .filter(version -> version.options().getStorage())
                .toList();
        if (stored.size() > 1) {
            throw new IllegalArgumentException(
                    "several versions of " + versions.getFirst().kind() + " have the option storage: " + names(stored));
        }
        TypeOptions storage = stored.isEmpty()
                ? versions.stream()
                        .min((a, b) -> Versions.BY_PREFERENCE.compare(a.version(), b.version()))
                        .orElseThrow()
                : stored.getFirst();
        requireAgreement(versions, storage);
        return storage;
    }

    /** Checks that the versions of a type agree. */
    static void requireAgreement(List<TypeOptions> versions, TypeOptions storage) {
        for (TypeOptions version : versions) {
            if (version.options().getStorage() && !version.equals(storage)) {
                throw new IllegalArgumentException(names(List.of(version))
                        + " has the option storage, and the type is stored as " + names(List.of(storage)));
            }
            if (!version.apiGroup().equals(storage.apiGroup())
                    || !version.kind().equals(storage.kind())
                    || version.namespaced() != storage.namespaced()
                    || version.global() != storage.global()
                    || !version.plural().equals(storage.plural())) {
                throw new IllegalArgumentException(
                        "the versions of a type must agree in group, kind, scope and plural: "
                                + names(List.of(version, storage)));
            }
        }
    }

    private static String names(List<TypeOptions> versions) {
        return String.join(
                ", ",
                versions.stream()
                        .map(version -> version.message().getFullName())
                        .toList());
    }
}
