package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.type.ObjectMeta;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
    public static Schema root(Map<String, @Nullable Object> source) {
        return builder(source, true).build();
    }

    /** Returns the schema of a value. */
    static Schema compile(Map<String, @Nullable Object> source) {
        return builder(source, false).build();
    }

    private static Schema.Builder builder(Map<String, @Nullable Object> source, boolean root) {
        boolean embedded = flag(source, "x-kubernetes-embedded-resource");
        boolean intOrString = flag(source, "x-kubernetes-int-or-string");
        Schema.Builder schema = Schema.builder(type(Json.string(source, "type"), intOrString))
                .format(Json.string(source, "format"))
                .intOrString(intOrString)
                .preserveUnknown(flag(source, "x-kubernetes-preserve-unknown-fields"))
                .embedded(embedded)
                .nullable(flag(source, "nullable"))
                .atomicMap("atomic".equals(source.get("x-kubernetes-map-type")))
                .required(strings(source.get("required")))
                .source(source);
        Map<String, Schema> properties = properties(source.get("properties"));
        if (root || embedded) {
            properties.put("apiVersion", TEXT);
            properties.put("kind", TEXT);
            properties.put("metadata", ObjectMeta.SCHEMA);
        }
        schema.properties(properties);
        if (source.get("items") instanceof Map<?, ?> items) {
            schema.items(compile(Json.asObject(items)));
        }
        Object additional = source.get("additionalProperties");
        if (additional instanceof Map<?, ?> map) {
            schema.additional(compile(Json.asObject(map)));
        } else if (additional instanceof Boolean) {
            schema.additional(UNSPECIFIED);
        }
        switch (Json.string(source, "x-kubernetes-list-type")) {
            case "set" -> schema.listType(Schema.ListType.SET);
            case "map" ->
                schema.listType(Schema.ListType.MAP).listKeys(strings(source.get("x-kubernetes-list-map-keys")));
            case "atomic" -> schema.listType(Schema.ListType.ATOMIC);
            default -> {}
        }
        Object defaultValue = source.get("default");
        if (defaultValue != null) {
            schema.defaultValue(Json.copy(defaultValue));
        }
        return schema;
    }

    private static Map<String, Schema> properties(@Nullable Object source) {
        Map<String, Schema> properties = new LinkedHashMap<>();
        Json.object(source)
                .ifPresent(map -> map.forEach((name, value) -> {
                    if (value instanceof Map<?, ?> property) {
                        properties.put(name, compile(Json.asObject(property)));
                    }
                }));
        return properties;
    }

    private static Schema.Type type(String type, boolean intOrString) {
        if (intOrString) {
            return Schema.Type.ANY;
        }
        return switch (type) {
            case "object" -> Schema.Type.OBJECT;
            case "array" -> Schema.Type.ARRAY;
            case "string" -> Schema.Type.STRING;
            case "integer" -> Schema.Type.INTEGER;
            case "number" -> Schema.Type.NUMBER;
            case "boolean" -> Schema.Type.BOOLEAN;
            default -> Schema.Type.ANY;
        };
    }

    public static boolean flag(Map<String, @Nullable Object> source, String key) {
        return Boolean.TRUE.equals(source.get(key));
    }

    public static List<String> strings(@Nullable Object value) {
        return value instanceof List<?> list
                ? list.stream()
                        .filter(String.class::isInstance)
                        .map(String.class::cast)
                        .toList()
                : List.of();
    }
}
