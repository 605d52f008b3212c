package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.type.ObjectMeta;
import dev.evenkeel.engine.internal.type.Schema;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Schemas and trees written as JSON with single quotes, for tests. */
final class SchemaText {
    private SchemaText() {}

    static Map<String, @Nullable Object> tree(String text) {
        return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
    }

    /** Returns the schema of objects with these properties in addition to apiVersion, kind and metadata. */
    static Schema object(String properties) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("properties", tree(properties));
        return object(all);
    }

    /** Returns the schema of objects for an OpenAPI v3 schema as in a definition. */
    static Schema object(Map<String, @Nullable Object> openApi) {
        Map<String, Schema> fields = new LinkedHashMap<>();
        fields.put("apiVersion", Schema.builder(Schema.Type.STRING).build());
        fields.put("kind", Schema.builder(Schema.Type.STRING).build());
        fields.put("metadata", ObjectMeta.SCHEMA);
        Json.asObject(openApi.get("properties")).forEach((name, schema) -> fields.put(name, of(Json.asObject(schema))));
        return Schema.builder(Schema.Type.OBJECT).properties(fields).build();
    }

    static Schema of(Map<String, @Nullable Object> openApi) {
        Schema.Type type = switch (Json.string(openApi, "type")) {
            case "object" -> Schema.Type.OBJECT;
            case "array" -> Schema.Type.ARRAY;
            case "string" -> Schema.Type.STRING;
            case "integer" -> Schema.Type.INTEGER;
            case "number" -> Schema.Type.NUMBER;
            case "boolean" -> Schema.Type.BOOLEAN;
            default -> Schema.Type.ANY;
        };
        Schema.Builder schema = Schema.builder(type)
                .format(Json.string(openApi, "format"))
                .preserveUnknown(Boolean.TRUE.equals(openApi.get("x-kubernetes-preserve-unknown-fields")))
                .intOrString(Boolean.TRUE.equals(openApi.get("x-kubernetes-int-or-string")))
                .atomicMap(Json.string(openApi, "x-kubernetes-map-type").equals("atomic"));
        switch (Json.string(openApi, "x-kubernetes-list-type")) {
            case "set" -> schema.listType(Schema.ListType.SET);
            case "atomic" -> schema.listType(Schema.ListType.ATOMIC);
            case "map" ->
                schema.listType(Schema.ListType.MAP)
                        .listKeys(((List<?>) Json.asArray(openApi.get("x-kubernetes-list-map-keys")))
                                .stream().map(String.class::cast).toList());
            default -> {}
        }
        if (openApi.get("properties") instanceof Map<?, ?> properties) {
            Map<String, Schema> fields = new LinkedHashMap<>();
            properties.forEach((name, property) -> fields.put((String) name, of(Json.asObject(property))));
            schema.properties(fields);
        }
        if (openApi.get("items") instanceof Map<?, ?> items) {
            schema.items(of(Json.asObject(items)));
        }
        if (openApi.get("additionalProperties") instanceof Map<?, ?> additional) {
            schema.additional(of(Json.asObject(additional)));
        }
        if (openApi.containsKey("default")) {
            schema.defaultValue(openApi.get("default"));
        }
        return schema.build();
    }
}
