package dev.evenkeel.engine.internal.cel;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
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

    /**
     * Returns a value of CEL as JSON.
     *
     * @throws IllegalArgumentException when there is none, since the value is an error or a map has other keys than texts
     */
    static @Nullable Object write(Object value) {
        return switch (value) {
            case Fields fields -> fields.json().copy();
            case Items items -> Json.copy(items.json());
            case Nothing unused -> null;
            case Problem problem -> throw new IllegalArgumentException(problem.text());
            case String text -> text;
            case Boolean bool -> bool;
            case Long number -> number;
            case Double number ->
                number == Math.rint(number) && Math.abs(number) < 0x1p53 ? (Object) number.longValue() : number;
            case Unsigned number -> number.value();
            case Octets octets -> Base64.getEncoder().encodeToString(octets.bytes());
            case Optional<?> optional -> optional.isPresent() ? write(optional.get()) : null;
            case ListValue list -> {
                List<@Nullable Object> items = new ArrayList<>(list.size());
                for (int i = 0; i < list.size(); i++) {
                    items.add(write(list.get(i)));
                }
                yield items;
            }
            case MapValue map -> {
                JsonObject object = new JsonObject(map.size());
                for (Object key : map.keys()) {
                    if (!(key instanceof String name)) {
                        throw new IllegalArgumentException("map key " + Texts.plain(key) + " is not string");
                    }
                    object.put(name, write(map.get(key)));
                }
                yield object;
            }
            default -> Texts.plain(value);
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
