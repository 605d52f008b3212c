package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Checks that no item occurs twice in a list of type set, and no key twice in a list of type map. */
record ListTypes(@Nullable SchemaTrie root) {
    private static final Object UNSPECIFIED = new Object();

    static ListTypes of(Schema schema) {
        return new ListTypes(SchemaTrie.of(schema, s -> s.listTypeSet() && s.listType() != Schema.ListType.ATOMIC));
    }

    /** Adds the duplicate items. Each is reported once, where it occurs for the second time. */
    void validate(@Nullable Object value, Consumer<FieldError> errors) {
        SchemaTrie.walk(root, value, (schema, list, trail) -> {
            if (list instanceof List<?> items) {
                unique(schema, items, trail, errors);
            }
        });
    }

    private static void unique(Schema schema, List<?> list, Trail trail, Consumer<FieldError> errors) {
        if (schema.listType() == Schema.ListType.SET) {
            duplicates(list, trail, errors, List.of());
            return;
        }
        for (int i = 0; i < list.size(); i++) {
            Object item = list.get(i);
            if (item != null && !(item instanceof JsonObject)) {
                errors.accept(
                        FieldError.invalid(at(trail, i), item, "must be an object for an array of list-type map"));
                return;
            }
        }
        duplicates(list, trail, errors, schema.listKeys());
    }

    private static void duplicates(List<?> list, Trail trail, Consumer<FieldError> errors, List<String> keys) {
        if (list.size() < 2) {
            return;
        }
        Map<Object, Integer> seen = HashMap.newHashMap(list.size());
        for (int i = 0; i < list.size(); i++) {
            Object item = list.get(i);
            Object identity = Objects.requireNonNullElse(keys.isEmpty() ? item : key(item, keys), UNSPECIFIED);
            if (seen.merge(identity, 1, Integer::sum) == 2) {
                errors.accept(FieldError.duplicate(at(trail, i), keys.isEmpty() ? item : named(item, keys)));
            }
        }
    }

    /** Returns the key of an item; a single key represents itself, so that the common case needs no map per item. */
    private static @Nullable Object key(@Nullable Object item, List<String> keys) {
        return keys.size() > 1 ? named(item, keys) : item instanceof JsonObject map ? map.get(keys.getFirst()) : null;
    }

    private static Map<String, @Nullable Object> named(@Nullable Object item, List<String> keys) {
        Map<String, @Nullable Object> named = new TreeMap<>();
        if (item instanceof JsonObject map) {
            for (String key : keys) {
                if (map.containsKey(key)) {
                    named.put(key, map.get(key));
                }
            }
        }
        return named;
    }

    private static String at(Trail trail, int index) {
        trail.index(index);
        String path = trail.bracketed();
        trail.pop();
        return path;
    }
}
