package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Small operations on trees that skip absent values, so that defaulting reads like a list of facts. */
final class Trees {
    private Trees() {}

    /** Sets a field that is not set. */
    static void fill(JsonObject tree, String name, Object value) {
        if (tree.get(name) == null) {
            tree.put(name, value);
        }
    }

    /** Sets a field that is not set or is the empty text. */
    static void fillText(JsonObject tree, String name, String value) {
        if (tree.string(name).isEmpty()) {
            tree.put(name, value);
        }
    }

    /** Sets a field that is not set or is zero. */
    static void fillNumber(JsonObject tree, String name, long value) {
        if (tree.integer(name) == 0) {
            tree.put(name, value);
        }
    }

    /** Returns the object under a key, created if absent. */
    static JsonObject grow(JsonObject tree, String name) {
        Object value = tree.get(name);
        if (value instanceof JsonObject) {
            return Json.asObject(value);
        }
        JsonObject made = new JsonObject();
        tree.put(name, made);
        return made;
    }

    /** Returns the object under a path; an empty, detached one if absent. */
    static JsonObject object(@Nullable Object tree, String... path) {
        Object value = Json.at(tree, path);
        return value instanceof JsonObject ? Json.asObject(value) : new JsonObject();
    }

    /** Returns the list under a path; an empty, detached one if absent. */
    static List<@Nullable Object> list(@Nullable Object tree, String... path) {
        Object value = Json.at(tree, path);
        return value instanceof List<?> ? Json.asArray(value) : List.of();
    }

    /** Calls a function with the object under a path, if there is one. */
    static void with(@Nullable Object tree, Consumer<JsonObject> step, String... path) {
        if (Json.at(tree, path) instanceof JsonObject map) {
            step.accept(map);
        }
    }

    /** Calls a function with each object of the list under a path. */
    static void each(@Nullable Object tree, Consumer<JsonObject> step, String... path) {
        if (Json.at(tree, path) instanceof List<?> list) {
            for (Object item : list) {
                if (item instanceof JsonObject) {
                    step.accept(Json.asObject(item));
                }
            }
        }
    }

    /** Returns true if there is a value under a path. */
    static boolean has(@Nullable Object tree, String... path) {
        return Json.at(tree, path) != null;
    }

    /** Returns the condition of a type in the status; null when there is none. */
    static @Nullable Object condition(@Nullable Object tree, String type) {
        for (Object condition : list(tree, "status", "conditions")) {
            if (Json.string(condition, "type").equals(type)) {
                return condition;
            }
        }
        return null;
    }

    /** Returns true if the condition of a type has a status. */
    static boolean isCondition(@Nullable Object tree, String type, String status) {
        return Json.string(condition(tree, type), "status").equals(status);
    }

    /** Returns true if the value under a path is true. */
    static boolean isTrue(@Nullable Object tree, String... path) {
        return Boolean.TRUE.equals(Json.at(tree, path));
    }

    /** Returns a new object of alternating keys and values. */
    static JsonObject of(Object... keysAndValues) {
        JsonObject made = new JsonObject();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            made.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return made;
    }

    /** Returns a new list. */
    static List<@Nullable Object> items(Object... items) {
        return new java.util.ArrayList<>(List.of(items));
    }

    /** Copies a field from one object to another, or removes it there. */
    static void carry(JsonObject from, JsonObject to, String name) {
        if (from.containsKey(name)) {
            to.put(name, Json.copy(from.get(name)));
        } else {
            to.remove(name);
        }
    }
}
