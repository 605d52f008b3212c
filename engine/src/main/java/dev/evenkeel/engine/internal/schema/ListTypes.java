package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Checks that no item occurs twice in a list of type set, and no key twice in a list of type map. */
final class ListTypes {
    private static final Object UNSPECIFIED = new Object();

    private final @Nullable SchemaTrie root;

    private ListTypes(@Nullable SchemaTrie root) {
        this.root = root;
    }

    static ListTypes of(Schema schema) {
        return new ListTypes(SchemaTrie.of(schema, s -> s.listTypeSet() && s.listType() != Schema.ListType.ATOMIC));
    }

    /** Adds the duplicate items. Each is reported once, where it occurs for the second time. */
    void validate(@Nullable Object value, Consumer<FieldError> errors) {
        if (root != null) {
            validate(root, value, new Trail(), errors);
        }
    }

    private static void validate(SchemaTrie node, @Nullable Object value, Trail trail, Consumer<FieldError> errors) {
        if (value instanceof JsonObject) {
            JsonObject object = Json.asObject(value);
            SchemaTrie additional = node.additional();
            if (additional != null) {
                object.forEach((name, child) -> {
                    if (!node.named().contains(name)) {
                        trail.key(name);
                        validate(additional, child, trail, errors);
                        trail.pop();
                    }
                });
            }
            for (Map.Entry<String, SchemaTrie> field : node.fields()) {
                Object child = object.get(field.getKey());
                if (child != null) {
                    trail.field(field.getKey());
                    validate(field.getValue(), child, trail, errors);
                    trail.pop();
                }
            }
        } else if (value instanceof List<?> list) {
            if (node.here()) {
                unique(node.schema(), list, trail, errors);
            }
            if (node.items() != null) {
                for (int i = 0; i < list.size(); i++) {
                    trail.index(i);
                    validate(node.items(), list.get(i), trail, errors);
                    trail.pop();
                }
            }
        }
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
            Object identity = keys.isEmpty() ? item : key(item, keys);
            if (seen.merge(identity == null ? UNSPECIFIED : identity, 1, Integer::sum) == 2) {
                errors.accept(FieldError.duplicate(at(trail, i), keys.isEmpty() ? item : named(item, keys)));
            }
        }
    }

    /** Returns the key of an item; a single key represents itself, so that the common case needs no map per item. */
    private static Object key(@Nullable Object item, List<String> keys) {
        if (keys.size() > 1) {
            return named(item, keys);
        }
        Object key =
                item instanceof JsonObject map && map.containsKey(keys.getFirst()) ? map.get(keys.getFirst()) : null;
        return key == null ? UNSPECIFIED : key;
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
