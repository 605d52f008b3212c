package dev.evenkeel.server.internal.openapi;

import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
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

    private static final String GVK = "x-kubernetes-group-version-kind";

    private final String prefix;
    private final JsonObject definitions = new JsonObject();
    private final Deque<Schema> open = new ArrayDeque<>();

    /**
     * Creates an empty set of definitions.
     *
     * @param prefix of references, such as {@code #/components/schemas/}
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
        JsonObject definition =
                type.origin() == Origin.BUILT_IN ? inline(resource.version().schema()) : custom(resource.version());
        definition.put(GVK, kinds(type, resource.version(), type.kind()));
        definitions.put(name, definition);
        if (!type.listKind().isEmpty()) {
            JsonObject properties = JsonObject.of("apiVersion", of("string"))
                    .set("items", of("array").set("items", reference(name)))
                    .set("kind", of("string"))
                    .set("metadata", meta("ListMeta"));
            JsonObject list = of("object").set("required", List.of("items")).set("properties", properties);
            definitions.put(name + "List", list.set(GVK, kinds(type, resource.version(), type.listKind())));
        }
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

    private static List<JsonObject> kinds(ResourceType type, ResourceType.Version version, String kind) {
        return List.of(JsonObject.of("group", type.group(), "kind", kind, "version", version.name()));
    }

    static JsonObject of(String type) {
        return JsonObject.of("type", type);
    }

    private JsonObject custom(ResourceType.Version version) {
        JsonObject tree = version.schema().source().copy();
        JsonObject properties = JsonObject.of("apiVersion", of("string"), "kind", of("string"));
        properties.put("metadata", meta("ObjectMeta"));
        tree.findObject("properties").ifPresent(own -> own.forEach(properties::putIfAbsent));
        tree.put("properties", properties);
        tree.putIfAbsent("type", "object");
        return tree;
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
        return schema.type() == Schema.Type.ANY && schema.source().isEmpty() ? new JsonObject() : inline(schema);
    }

    private JsonObject inline(Schema schema) {
        if (!schema.source().isEmpty()) {
            return schema.source().copy();
        }
        if (schema.intOrString()) {
            return prefix.equals(V2)
                    ? of("string").set("format", "int-or-string")
                    : JsonObject.of("format", "int-or-string", "oneOf", List.of(of("integer"), of("string")));
        }
        JsonObject tree = new JsonObject();
        if (schema.type() != Schema.Type.ANY) {
            tree.put("type", schema.type().text());
        }
        tree.setUnlessEmpty("format", schema.format()).setUnlessEmpty("required", schema.required());
        if (!schema.properties().isEmpty()) {
            JsonObject properties = new JsonObject();
            schema.properties().forEach((name, field) -> properties.put(name, field(field)));
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
        if (schema.preserveUnknown() && schema.type() == Schema.Type.OBJECT) {
            tree.put("x-kubernetes-preserve-unknown-fields", true);
        }
        return tree;
    }

    /** Returns the schema of a field: the attributes of the field in addition to those of its type. */
    private JsonObject field(Schema schema) {
        JsonObject place = new JsonObject();
        if (schema.hasDefault() && schema.defaultValue() != null) {
            place.put("default", schema.defaultValue());
        }
        if (schema.listTypeSet()) {
            place.put("x-kubernetes-list-type", schema.listType().name().toLowerCase(java.util.Locale.ROOT));
            place.setUnlessEmpty("x-kubernetes-list-map-keys", schema.listKeys());
        }
        if (schema.atomicMap()) {
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
}
