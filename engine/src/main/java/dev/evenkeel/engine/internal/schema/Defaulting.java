package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.JsonLimits;
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
 * <p>Only the branches of the schema that have defaults are walked. A few bytes can become many: a default of items is
 * copied for each of them. So the size of what is filled in is limited, and counted before it is copied.
 */
record Defaulting(@Nullable SchemaTrie root) {
    static Defaulting of(Schema schema) {
        return new Defaulting(SchemaTrie.of(schema, Schema::hasDefault));
    }

    /** @throws ApiException with 413 if the defaults exceed the size of the largest document */
    void apply(@Nullable Object value) {
        if (root != null) {
            new Run().apply(root, value);
        }
    }

    /** The defaults of one value. */
    private static final class Run {
        /** The size of a field or item in memory, apart from its text. */
        private static final int OVERHEAD = 16;

        private long left = JsonLimits.DEFAULT.maxBytes();

        private void apply(SchemaTrie node, @Nullable Object value) {
            if (value instanceof JsonObject) {
                applyToObject(node, Json.asObject(value));
            } else if (value instanceof List<?> && node.items() != null) {
                SchemaTrie items = node.items();
                Json.asArray(value).replaceAll(item -> filled(items, item));
            }
        }

        private void applyToObject(SchemaTrie node, JsonObject object) {
            for (Map.Entry<String, SchemaTrie> entry : node.fields()) {
                String name = entry.getKey();
                SchemaTrie field = entry.getValue();
                Object value = object.get(name);
                if (value == null
                        && field.here()
                        && !(object.containsKey(name) && field.schema().nullable())) {
                    value = defaultOf(field);
                    object.put(name, value);
                }
                apply(field, value);
            }
            SchemaTrie additional = node.additional();
            if (additional != null) {
                object.replaceAll((name, value) -> node.named().contains(name) ? value : filled(additional, value));
            }
        }

        private @Nullable Object filled(SchemaTrie node, @Nullable Object value) {
            Object result = value == null && node.here() && !node.schema().nullable() ? defaultOf(node) : value;
            apply(node, result);
            return result;
        }

        private @Nullable Object defaultOf(SchemaTrie node) {
            left -= node.schema().defaultSize() + OVERHEAD;
            if (left < 0) {
                throw ApiException.of(Status.of(
                        413,
                        "RequestEntityTooLarge",
                        "Request entity too large: with its defaults, the object exceeds the limit of "
                                + JsonLimits.DEFAULT.maxBytes() + " bytes"));
            }
            return node.schema().defaultValue();
        }
    }
}
