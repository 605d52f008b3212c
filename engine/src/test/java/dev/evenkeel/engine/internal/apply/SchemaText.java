package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ObjectMeta;
import dev.evenkeel.engine.internal.type.Schema;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Schemas and trees written as JSON with single quotes, for tests. */
final class SchemaText {
    private SchemaText() {}

    static JsonObject tree(String text) {
        return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
    }

    /** Returns the schema of objects with these properties in addition to apiVersion, kind and metadata. */
    static Schema object(String properties) {
        JsonObject all = new JsonObject();
        all.put("properties", tree(properties));
        return object(all);
    }

    /** Returns the schema of objects for an OpenAPI v3 schema as in a definition. */
    static Schema object(JsonObject openApi) {
        Map<String, Schema> fields = new LinkedHashMap<>();
        fields.put("apiVersion", Schema.builder(Schema.Type.STRING).build());
        fields.put("kind", Schema.builder(Schema.Type.STRING).build());
        fields.put("metadata", ObjectMeta.SCHEMA);
        openApi.object("properties").forEach((name, schema) -> fields.put(name, of(Json.asObject(schema))));
        return Schema.builder(Schema.Type.OBJECT).properties(fields).build();
    }

    static Schema of(JsonObject openApi) {
        Schema.Type type = switch (openApi.string("type")) {
            case "object" -> Schema.Type.OBJECT;
            case "array" -> Schema.Type.ARRAY;
            case "string" -> Schema.Type.STRING;
            case "integer" -> Schema.Type.INTEGER;
            case "number" -> Schema.Type.NUMBER;
            case "boolean" -> Schema.Type.BOOLEAN;
            default -> Schema.Type.ANY;
        };
        Schema.Builder schema = Schema.builder(type)
                .format(openApi.string("format"))
                .preserveUnknown(Boolean.TRUE.equals(openApi.get("x-kubernetes-preserve-unknown-fields")))
                .intOrString(Boolean.TRUE.equals(openApi.get("x-kubernetes-int-or-string")))
                .atomicMap(openApi.string("x-kubernetes-map-type").equals("atomic"));
        switch (openApi.string("x-kubernetes-list-type")) {
            case "set" -> schema.listType(Schema.ListType.SET);
            case "atomic" -> schema.listType(Schema.ListType.ATOMIC);
            case "map" ->
                schema.listType(Schema.ListType.MAP)
                        .listKeys(((List<?>) openApi.array("x-kubernetes-list-map-keys"))
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
