package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ObjectMeta;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Compiles OpenAPI v3 schemas of CustomResourceDefinitions into the engine's model. The shape of values (types, fields,
 * items, defaults, list and map types) becomes part of the {@link Schema}; mere limits (ranges, patterns, alternatives,
 * rules) stay in {@link Schema#source()}.
 */
public final class StructuralSchemas {
    private static final Schema TEXT = Schema.builder(Schema.Type.STRING).build();

    /** The schema for {@code additionalProperties: true}: any scalar, and null; objects are unspecified. */
    private static final Schema UNSPECIFIED =
            Schema.builder(Schema.Type.ANY).nullable(true).build();

    private StructuralSchemas() {}

    /** Returns the schema of whole objects, which always have apiVersion, kind and metadata. */
    public static Schema root(JsonObject source) {
        return builder(source, true, false).build();
    }

    static Schema compile(JsonObject source) {
        return builder(source, false, false).build();
    }

    /**
     * Returns the schema by which defaults are filled in: a definition may specify defaults for the metadata of embedded
     * resources, whose shape is otherwise that of all metadata.
     */
    static Schema ofDefaults(Schema schema) {
        return SchemaTrie.of(schema, Schema::embedded) == null
                ? schema
                : builder(schema.source(), true, true).build();
    }

    private static Schema.Builder builder(JsonObject source, boolean root, boolean ownMetadata) {
        boolean embedded = source.bool("x-kubernetes-embedded-resource");
        boolean intOrString = source.bool("x-kubernetes-int-or-string");
        Schema.Builder schema = Schema.builder(intOrString ? Schema.Type.ANY : Schema.Type.of(source.string("type")))
                .format(source.string("format"))
                .intOrString(intOrString)
                .preserveUnknown(source.bool("x-kubernetes-preserve-unknown-fields"))
                .embedded(embedded)
                .nullable(source.bool("nullable"))
                .atomicMap(source.string("x-kubernetes-map-type").equals("atomic"))
                .required(source.strings("required"))
                .source(source);
        Map<String, Schema> properties = new LinkedHashMap<>();
        SchemaSource.properties(
                source,
                (name, property) -> properties.put(
                        name, builder(property, false, ownMetadata).build()));
        if (root || (embedded && !ownMetadata)) {
            properties.put("apiVersion", TEXT);
            properties.put("kind", TEXT);
            properties.put("metadata", ObjectMeta.SCHEMA);
        }
        schema.properties(properties);
        if (source.get("items") instanceof JsonObject items) {
            schema.items(builder(items, false, ownMetadata).build());
        }
        Object additional = source.get("additionalProperties");
        if (additional instanceof JsonObject map) {
            schema.additional(builder(map, false, ownMetadata).build());
        } else if (additional instanceof Boolean) {
            schema.additional(UNSPECIFIED);
        }
        switch (source.string("x-kubernetes-list-type")) {
            case "set" -> schema.listType(Schema.ListType.SET);
            case "map" -> schema.listType(Schema.ListType.MAP).listKeys(source.strings("x-kubernetes-list-map-keys"));
            case "atomic" -> schema.listType(Schema.ListType.ATOMIC);
            default -> {}
        }
        Object defaultValue = source.get("default");
        if (defaultValue != null) {
            schema.defaultValue(Json.copy(defaultValue));
        }
        return schema;
    }
}
