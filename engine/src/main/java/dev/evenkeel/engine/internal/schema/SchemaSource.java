package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.ObjIntConsumer;
import java.util.function.Predicate;

/** Operations on a schema as written in a CustomResourceDefinition, and on the schemas in it. */
public final class SchemaSource {
    private static final List<String> LISTS = List.of("allOf", "anyOf", "oneOf");
    private static final List<String> MAPS = List.of("properties", "patternProperties", "definitions", "dependencies");
    private static final List<String> SINGLES = List.of("items", "not", "additionalProperties", "additionalItems");

    private SchemaSource() {}

    /** Visits the schemas of the properties, by name. */
    static void properties(JsonObject schema, BiConsumer<String, JsonObject> visitor) {
        members(schema, "properties", visitor);
    }

    /** Visits the objects in the object under a key, by name. */
    static void members(JsonObject schema, String key, BiConsumer<String, JsonObject> visitor) {
        schema.object(key).forEach((name, value) -> Json.object(value).ifPresent(child -> visitor.accept(name, child)));
    }

    /** Visits the objects in the array under a key, by index. */
    static void each(JsonObject schema, String key, ObjIntConsumer<JsonObject> visitor) {
        List<?> list = schema.array(key);
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i) instanceof JsonObject item) {
                visitor.accept(item, i);
            }
        }
    }

    /** Visits the schemas directly within a schema, each with its path from there. */
    static void children(JsonObject schema, BiConsumer<String, JsonObject> visitor) {
        for (String name : SINGLES) {
            schema.findObject(name).ifPresent(child -> visitor.accept(name, child));
            each(schema, name, (child, i) -> visitor.accept(name + "[" + i + "]", child));
        }
        for (String name : LISTS) {
            each(schema, name, (child, i) -> visitor.accept(name + "[" + i + "]", child));
        }
        for (String name : MAPS) {
            members(schema, name, (key, child) -> visitor.accept(name + "[" + key + "]", child));
        }
    }

    /** Returns true if a schema, or one in it, satisfies a predicate. */
    public static boolean has(JsonObject schema, Predicate<JsonObject> predicate) {
        boolean[] found = {predicate.test(schema)};
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
        return has(schema, s -> !s.array("x-kubernetes-validations").isEmpty());
    }
}
