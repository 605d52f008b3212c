package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Removes fields that a schema does not allow, in place: unknown fields, and nulls of known fields that are neither
 * nullable nor replaced by a default. An applied object keeps those nulls, to be refused by validation.
 *
 * <p>apiVersion, kind and metadata of a resource are not touched, neither those of the object itself nor those of
 * resources embedded in it: see {@link MetadataCoercion}. Under preserve-unknown-fields unknown fields stay, and known
 * fields are still pruned.
 */
final class Pruning {
    private final Trail trail = new Trail();
    private final boolean applied;
    private @Nullable List<String> unknown;

    private Pruning(boolean applied) {
        this.applied = applied;
    }

    /**
     * Prunes an object.
     *
     * @param applied true to keep nulls that validation refuses: apply does not decode its result again
     * @return the paths of the unknown fields, sorted; nulls are removed silently
     */
    static List<String> prune(Schema schema, JsonObject object, boolean applied) {
        Pruning pruning = new Pruning(applied);
        pruning.object(schema, object, true, schema.preserveUnknown());
        if (pruning.unknown == null) {
            return List.of();
        }
        Collections.sort(pruning.unknown);
        return pruning.unknown;
    }

    /**
     * Prunes a value other than a resource.
     *
     * @return true if it had unknown fields
     */
    static boolean pruneValue(Schema schema, @Nullable Object value) {
        Pruning pruning = new Pruning(false);
        pruning.value(schema, value, schema.preserveUnknown());
        return pruning.unknown != null;
    }

    private void value(@Nullable Schema schema, @Nullable Object value, boolean keep) {
        if (value instanceof JsonObject) {
            object(schema, Json.asObject(value), schema != null && schema.embedded(), keep);
        } else if (value instanceof List<?> list && !(keep && (schema == null || schema.items() == null))) {
            Schema items = schema == null ? null : schema.items();
            for (int i = 0; i < list.size(); i++) {
                trail.index(i);
                value(items, list.get(i), keep || preserves(items));
                trail.pop();
            }
        }
    }

    private void object(@Nullable Schema schema, JsonObject object, boolean resource, boolean keepUnknown) {
        Iterator<Map.Entry<String, @Nullable Object>> entries =
                object.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<String, @Nullable Object> entry = entries.next();
            String name = entry.getKey();
            if (resource && isTypeOrMeta(name)) {
                continue;
            }
            Schema field = schema == null ? null : schema.field(name);
            if (field == null) {
                if (!keepUnknown) {
                    report(name);
                    entries.remove();
                }
            } else if (entry.getValue() == null) {
                if (!field.nullable() && !field.hasDefault() && !applied) {
                    entries.remove();
                }
            } else {
                trail.field(name);
                value(field, entry.getValue(), field.preserveUnknown());
                trail.pop();
            }
        }
    }

    private static boolean preserves(@Nullable Schema schema) {
        return schema != null && schema.preserveUnknown();
    }

    private void report(String name) {
        if (unknown == null) {
            unknown = new ArrayList<>();
        }
        trail.field(name);
        unknown.add(trail.dotted());
        trail.pop();
    }

    static boolean isTypeOrMeta(String name) {
        return name.equals("metadata") || name.equals("kind") || name.equals("apiVersion");
    }
}
