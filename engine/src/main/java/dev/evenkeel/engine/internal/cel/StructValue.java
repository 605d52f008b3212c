package dev.evenkeel.engine.internal.cel;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An object that an expression constructs, such as {@code Object.spec{replicas: 1}}.
 *
 * @param type its name, such as {@code Object.spec}
 */
record StructValue(String type, Map<Object, Object> fields) implements MapValue {
    /** The type of the operations of a JSON Patch. */
    static final String PATCH = "JSONPatch";

    static void addTo(Library library) {
        library.add(
                "jsonpatch.escapeKey",
                String.class,
                key -> key.replace("~", "~0").replace("/", "~1"));
    }

    @Override
    public int size() {
        return fields.size();
    }

    @Override
    public List<Object> keys() {
        return List.copyOf(fields.keySet());
    }

    @Override
    public @Nullable Object find(Object key) {
        return fields.get(key);
    }

    /** Returns why the name of a type does not fit the field that has its value; empty when all fit. */
    static Optional<String> misnamed(Object value, String path) {
        return switch (value) {
            case StructValue struct
            when !struct.type().equals(path) ->
                Optional.of("unexpected type name \"" + struct.type() + "\", expected \"" + path
                        + "\", which matches field name path from root Object type");
            case StructValue struct ->
                struct.fields().entrySet().stream()
                        .flatMap(field -> misnamed(field.getValue(), path + "." + field.getKey()).stream())
                        .findFirst();
            case MapValue.Entries map ->
                map.entries().values().stream()
                        .flatMap(each -> misnamed(each, path).stream())
                        .findFirst();
            case ListValue list -> {
                Optional<String> found = Optional.empty();
                for (int i = 0; i < list.size() && found.isEmpty(); i++) {
                    found = misnamed(list.get(i), path);
                }
                yield found;
            }
            default -> Optional.empty();
        };
    }
}
