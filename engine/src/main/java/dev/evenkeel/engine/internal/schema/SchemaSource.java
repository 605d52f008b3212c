package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Operations on a schema as written in a CustomResourceDefinition, and on the schemas in it. */
public final class SchemaSource {
    private static final List<String> LISTS = List.of("allOf", "anyOf", "oneOf");
    private static final List<String> MAPS = List.of("properties", "patternProperties", "definitions", "dependencies");
    private static final List<String> SINGLES = List.of("items", "not", "additionalProperties", "additionalItems");

    private SchemaSource() {}

    /** Visits the schemas directly within a schema, each with its path from there. */
    static void children(JsonObject schema, BiConsumer<String, JsonObject> visitor) {
        for (String name : SINGLES) {
            Object value = schema.get(name);
            Json.object(value).ifPresent(child -> visitor.accept(name, child));
            list(name, value, visitor);
        }
        for (String name : LISTS) {
            list(name, schema.get(name), visitor);
        }
        for (String name : MAPS) {
            schema.findObject(name)
                    .ifPresent(map -> map.forEach((key, value) ->
                            Json.object(value).ifPresent(child -> visitor.accept(name + "[" + key + "]", child))));
        }
    }

    private static void list(String name, @Nullable Object value, BiConsumer<String, JsonObject> visitor) {
        if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                String path = name + "[" + i + "]";
                Json.object(list.get(i)).ifPresent(child -> visitor.accept(path, child));
            }
        }
    }

    /** Returns true if a schema, or one in it, satisfies a predicate. */
    public static boolean has(JsonObject schema, Predicate<JsonObject> predicate) {
        if (predicate.test(schema)) {
            return true;
        }
        boolean[] found = {false};
        children(schema, (path, child) -> found[0] = found[0] || has(child, predicate));
        return found[0];
    }

    /** Removes defaults and examples that are null, in place. */
    public static void removeNulls(JsonObject schema) {
        schema.remove("default", null);
        schema.remove("example", null);
        children(schema, (path, child) -> removeNulls(child));
    }

    /** Returns true if validation rules apply to values of a schema, or to parts of them. */
    static boolean hasRules(JsonObject schema) {
        return has(schema, s -> s.get("x-kubernetes-validations") instanceof List<?> list && !list.isEmpty());
    }
}
