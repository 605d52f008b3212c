package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fills in defaults: where a field is missing, and where it is null although null is not a value there. Defaults inside
 * a default are filled in too; defaults below a missing field are not.
 *
 * <p>Only the branches of the schema that have defaults are walked.
 */
record Defaulting(@Nullable SchemaTrie root) {
    static Defaulting of(Schema schema) {
        return new Defaulting(SchemaTrie.of(schema, Schema::hasDefault));
    }

    void apply(@Nullable Object value) {
        if (root != null) {
            apply(root, value);
        }
    }

    private static void apply(SchemaTrie node, @Nullable Object value) {
        if (value instanceof JsonObject) {
            applyToObject(node, Json.asObject(value));
        } else if (value instanceof List<?> && node.items() != null) {
            SchemaTrie items = node.items();
            Json.asArray(value).replaceAll(item -> filled(items, item));
        }
    }

    private static void applyToObject(SchemaTrie node, JsonObject object) {
        for (Map.Entry<String, SchemaTrie> entry : node.fields()) {
            String name = entry.getKey();
            SchemaTrie field = entry.getValue();
            Object value = object.get(name);
            if (value == null
                    && field.here()
                    && !(object.containsKey(name) && field.schema().nullable())) {
                value = field.schema().defaultValue();
                object.put(name, value);
            }
            apply(field, value);
        }
        SchemaTrie additional = node.additional();
        if (additional != null) {
            object.replaceAll((name, value) -> node.named().contains(name) ? value : filled(additional, value));
        }
    }

    private static @Nullable Object filled(SchemaTrie node, @Nullable Object value) {
        Object result = value == null && node.here() && !node.schema().nullable()
                ? node.schema().defaultValue()
                : value;
        apply(node, result);
        return result;
    }
}
