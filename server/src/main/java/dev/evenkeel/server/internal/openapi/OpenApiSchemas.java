package dev.evenkeel.server.internal.openapi;

import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.ResourceType.Origin;
import dev.evenkeel.engine.internal.type.Schema;
import dev.evenkeel.server.internal.discovery.Catalog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Schemas of kinds as definitions of an OpenAPI document, with all definitions they refer to.
 *
 * <p>Built-in kinds are written from their {@link Schema}, custom ones from the schema in their definition, which is
 * OpenAPI already.
 */
final class OpenApiSchemas {
    static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
    /** The prefix of references in version 2. */
    static final String V2 = "#/definitions/";
    /** The prefix of references in version 3. */
    static final String V3 = "#/components/schemas/";

    private static final String QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity";
    private static final String GVK = "x-kubernetes-group-version-kind";

    private final String prefix;
    private final JsonObject definitions = new JsonObject();
    private final Deque<Schema> open = new ArrayDeque<>();

    /**
     * Creates an empty set of definitions.
     *
     * @param prefix of references: {@link #V2} or {@link #V3}
     */
    OpenApiSchemas(String prefix) {
        this.prefix = prefix;
    }

    /** Returns all added definitions, and those they refer to, by name. */
    JsonObject definitions() {
        while (!open.isEmpty()) {
            Schema next = open.pop();
            definitions.computeIfAbsent(next.reference(), name -> named(next));
        }
        definitions.sort(Comparator.naturalOrder());
        return definitions;
    }

    /** Adds a kind and its list. */
    void add(Catalog.Resource resource) {
        ResourceType type = resource.type();
        String name = name(type, resource.version());
        boolean builtIn = type.origin() == Origin.BUILT_IN;
        JsonObject definition = builtIn ? inline(resource.version().schema()) : custom(resource.version());
        definition.put(GVK, kinds(type, resource.version(), type.kind()));
        definitions.put(name, selectable(definition, resource));
        if (!type.listKind().isEmpty()) {
            String listName = listName(type, resource.version());
            JsonObject list = (builtIn ? BuiltinTypes.schema(listName) : Optional.<Schema>empty())
                    .map(this::inline)
                    .orElseGet(() -> list(type, name));
            list.put(GVK, kinds(type, resource.version(), type.listKind()));
            definitions.put(listName, selectable(list, resource));
        }
    }

    private JsonObject list(ResourceType type, String name) {
        JsonObject items = describe(
                of("array").set("items", reference(name)),
                "List of " + type.plural()
                        + ". More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md");
        JsonObject properties = kindProperties()
                .set("items", items)
                .set("metadata", describe(meta("ListMeta"), BuiltinDescriptions.ofListMetadata()));
        return describe(of("object"), type.listKind() + " is a list of " + type.kind())
                .set("required", List.of("items"))
                .set("properties", properties);
    }

    /** Returns the properties that identify the kind of an object. */
    private JsonObject kindProperties() {
        return JsonObject.of(
                "apiVersion",
                describe(of("string"), BuiltinDescriptions.ofKinds("apiVersion")),
                "kind",
                describe(of("string"), BuiltinDescriptions.ofKinds("kind")));
    }

    /** Adds the fields of a custom resource that field selectors can use. */
    private static JsonObject selectable(JsonObject definition, Catalog.Resource resource) {
        if (resource.type().origin() != Origin.BUILT_IN) {
            definition.setUnlessEmpty(
                    "x-kubernetes-selectable-fields",
                    resource.version().selectableFields().stream()
                            .map(field -> JsonObject.of("fieldPath", String.join(".", field.path())))
                            .toList());
        }
        return definition;
    }

    /** Returns a schema with a description in front, unless it has one. */
    private JsonObject describe(JsonObject tree, String description) {
        if (description.isEmpty() || tree.containsKey("description")) {
            return tree;
        }
        JsonObject described = JsonObject.of("description", description);
        if (tree.containsKey("$ref") && !prefix.equals(V2)) {
            // readers ignore siblings of a reference, so the reference is moved into a list of one
            return described.set("allOf", List.of(tree));
        }
        described.putAll(tree);
        return described;
    }

    /** Returns a reference to a type of {@code meta/v1}, which is added. */
    JsonObject meta(String kind) {
        return builtIn(META + kind);
    }

    /** Returns a reference to a built-in definition, which is added. */
    JsonObject builtIn(String definition) {
        BuiltinTypes.schema(definition)
                .ifPresentOrElse(open::push, () -> definitions.putIfAbsent(definition, of("object")));
        return reference(definition);
    }

    /** Returns the schema of a body, a reference to a definition that is added; an empty name stands for a text. */
    JsonObject ofBody(String definition) {
        return definition.isEmpty()
                ? of("string")
                : definitions.containsKey(definition) ? reference(definition) : builtIn(definition);
    }

    JsonObject reference(String name) {
        return JsonObject.of("$ref", prefix + name);
    }

    /** Returns the name of the definition of a kind: a group is reversed, as upstream does it. */
    static String name(ResourceType type, ResourceType.Version version) {
        String reference = version.schema().reference();
        if (!reference.isEmpty()) {
            return reference;
        }
        List<String> labels = new ArrayList<>(Arrays.asList(type.group().split("\\.", -1)));
        Collections.reverse(labels);
        return String.join(".", labels) + "." + version.name() + "." + type.kind();
    }

    /** Returns the name of the definition of lists of a kind. */
    static String listName(ResourceType type, ResourceType.Version version) {
        String name = name(type, version);
        return name.substring(0, name.lastIndexOf('.') + 1) + type.listKind();
    }

    private static List<JsonObject> kinds(ResourceType type, ResourceType.Version version, String kind) {
        return List.of(JsonObject.of("group", type.group(), "kind", kind, "version", version.name()));
    }

    static JsonObject of(String type) {
        return JsonObject.of("type", type);
    }

    private JsonObject custom(ResourceType.Version version) {
        JsonObject tree = version.schema().source().copy();
        tree.putIfAbsent("type", "object");
        if (prefix.equals(V2) && isTrue(tree, "x-kubernetes-preserve-unknown-fields")) {
            return of("object"); // with any property, clients would refuse all others
        }
        CustomSchemas.unfold(tree);
        if (prefix.equals(V2)) {
            CustomSchemas.reduce(tree);
        }
        asResource(tree);
        embedded(tree);
        return tree;
    }

    private static boolean isTrue(JsonObject tree, String attribute) {
        return Boolean.TRUE.equals(tree.get(attribute));
    }

    /** Makes the identity of an object part of its schema. */
    private void asResource(JsonObject tree) {
        JsonObject properties = kindProperties();
        properties.put("metadata", describe(meta("ObjectMeta"), BuiltinDescriptions.ofKinds("metadata")));
        tree.findObject("properties").ifPresent(own -> own.forEach(properties::putIfAbsent));
        tree.put("properties", properties);
    }

    /** Does the same for the objects within an object. */
    private void embedded(JsonObject tree) {
        tree.findObject("properties")
                .ifPresent(properties ->
                        properties.values().forEach(each -> Json.object(each).ifPresent(this::inner)));
        tree.findObject("items").ifPresent(this::inner);
        tree.findObject("additionalProperties").ifPresent(this::inner);
    }

    private void inner(JsonObject tree) {
        embedded(tree);
        boolean unknown = prefix.equals(V2) && isTrue(tree, "x-kubernetes-preserve-unknown-fields");
        if (!unknown && isTrue(tree, "x-kubernetes-embedded-resource")) {
            asResource(tree);
            Set<@Nullable Object> required = new TreeSet<>(tree.array("required"));
            required.addAll(List.of("apiVersion", "kind"));
            tree.put("required", List.copyOf(required));
        }
    }

    private JsonObject schema(Schema schema) {
        if (schema.reference().isEmpty()) {
            return inline(schema);
        }
        if (!definitions.containsKey(schema.reference())) {
            open.push(schema);
        }
        return reference(schema.reference());
    }

    private JsonObject named(Schema schema) {
        JsonObject tree = schema.type() == Schema.Type.ANY
                        && !schema.intOrString()
                        && schema.source().isEmpty()
                ? describe(new JsonObject(), BuiltinDescriptions.of(schema.reference()))
                : inline(schema);
        return tree.setUnlessEmpty(GVK, RegisteredKinds.of(schema.reference()));
    }

    private JsonObject inline(Schema schema) {
        List<@Nullable Object> allowed = schema.source().array("enum");
        if (!schema.source().isEmpty() && (allowed.isEmpty() || schema.source().size() > 1)) {
            return schema.source().copy();
        }
        if (schema.intOrString()) {
            return describe(
                    prefix.equals(V2)
                            ? of("string").set("format", "int-or-string")
                            : JsonObject.of("format", "int-or-string", "oneOf", List.of(of("integer"), of("string"))),
                    BuiltinDescriptions.of(schema.reference()));
        }
        JsonObject tree = describe(new JsonObject(), BuiltinDescriptions.of(schema.reference()));
        if (schema.reference().equals(QUANTITY) && !prefix.equals(V2)) {
            return tree.set("oneOf", List.of(of("string"), of("number")));
        }
        if (schema.type() != Schema.Type.ANY) {
            tree.put("type", schema.type().text());
        }
        tree.setUnlessEmpty("format", schema.format())
                .setUnlessEmpty("required", schema.required())
                .setUnlessEmpty("enum", allowed);
        if (!schema.properties().isEmpty()) {
            JsonObject properties = new JsonObject();
            schema.properties().forEach((name, field) -> properties.put(name, field(schema.reference(), name, field)));
            properties.sort(Comparator.naturalOrder());
            tree.put("properties", properties);
        }
        Schema additional = schema.additional();
        if (additional != null) {
            tree.put("additionalProperties", schema(additional));
        }
        Schema items = schema.items();
        if (items != null) {
            tree.put("items", schema(items));
        }
        if (schema.atomicMap()
                && !schema.properties().isEmpty()
                && !schema.reference().isEmpty()) {
            tree.put("x-kubernetes-map-type", "atomic");
        }
        return tree;
    }

    /** Returns the schema of a field: the attributes of the field in addition to those of its type. */
    private JsonObject field(String definition, String name, Schema schema) {
        JsonObject place = new JsonObject();
        place.setUnlessEmpty("description", description(definition, name, schema));
        // there are no defaults in version 2
        if (!prefix.equals(V2) && schema.hasDefault() && schema.defaultValue() != null) {
            place.put("default", schema.defaultValue());
        }
        if (schema.listTypeSet()) {
            place.put("x-kubernetes-list-type", schema.listType().name().toLowerCase(java.util.Locale.ROOT));
            place.setUnlessEmpty("x-kubernetes-list-map-keys", schema.listKeys());
        }
        if (schema.atomicMap() && !isAtomic(schema.reference())) {
            place.put("x-kubernetes-map-type", "atomic");
        }
        place.setUnlessEmpty("x-kubernetes-patch-merge-key", schema.patchMergeKey())
                .setUnlessEmpty("x-kubernetes-patch-strategy", schema.patchStrategy());
        JsonObject tree = schema(schema);
        if (place.isEmpty()) {
            return tree;
        }
        if (tree.containsKey("$ref") && !prefix.equals(V2)) {
            // readers ignore siblings of a reference, so the reference is moved into a list of one
            return place.set("allOf", List.of(tree));
        }
        tree.putAll(place);
        return tree;
    }

    /** Returns true if all objects of a definition are replaced as one. */
    private static boolean isAtomic(String definition) {
        return BuiltinTypes.schema(definition).filter(Schema::atomicMap).isPresent();
    }

    /** Returns the description of a field, with the values that it can have, as upstream's generator lists them. */
    private static String description(String definition, String name, Schema schema) {
        String values = schema.source().array("enum").stream()
                .map(value -> " - `\"" + value + "\"`")
                .collect(Collectors.joining("\n"));
        String text = BuiltinDescriptions.of(definition, name);
        return values.isEmpty() ? text : (text + "\n\nPossible enum values:\n" + values).strip();
    }
}
