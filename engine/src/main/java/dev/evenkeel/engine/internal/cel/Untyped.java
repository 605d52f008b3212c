package dev.evenkeel.engine.internal.cel;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON without a known schema, as values of CEL: fields have their own names, and an absent field is an absent key. */
final class Untyped {
    private Untyped() {}

    static Object read(@Nullable Object json) {
        return switch (json) {
            case null -> Nothing.NULL;
            case JsonObject map -> new Fields(map);
            case List<?> list -> new Items(list);
            case Long unused -> json;
            case Double unused -> json;
            case String unused -> json;
            case Boolean unused -> json;
            case Number number -> number.doubleValue();
            default -> new Problem("invalid data of type " + json.getClass().getSimpleName());
        };
    }

    private record Fields(JsonObject json) implements MapValue {
        @Override
        public int size() {
            return json.size();
        }

        @Override
        public List<Object> keys() {
            return List.copyOf(json.keySet());
        }

        @Override
        public @Nullable Object find(Object key) {
            return json.containsKey(key) ? read(json.get(key)) : null;
        }
    }

    private record Items(List<?> json) implements ListValue {
        @Override
        public int size() {
            return json.size();
        }

        @Override
        public Object get(int index) {
            return read(json.get(index));
        }
    }
}
