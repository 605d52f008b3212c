package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The configuration that a mutating admission policy computes, applied without an owner. */
public final class PolicyPatch {
    private PolicyPatch() {}

    /**
     * Merges a configuration into an object; nothing is removed.
     *
     * @return a new tree, which shares branches with both
     * @throws IllegalArgumentException in upstream's words, when the configuration does not fit the schema or sets what is
     *     owned as a whole
     */
    public static JsonObject merge(JsonObject object, JsonObject patch, Schema schema) {
        OwnershipSchema shape = OwnershipSchema.of(schema);
        try {
            Conformance.check(patch, shape, false);
        } catch (UntypedException e) {
            throw new IllegalArgumentException("failed to convert patch object to typed object: " + e.getMessage(), e);
        }
        List<String> atomic = new ArrayList<>();
        collectAtomic(patch, shape, "", atomic);
        if (!atomic.isEmpty()) {
            throw new IllegalArgumentException(
                    "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: "
                            + String.join(", ", atomic));
        }
        try {
            return Json.asObject(Merge.merge(object, patch, shape));
        } catch (UntypedException e) {
            throw new IllegalArgumentException("failed to merge patch: " + e.getMessage(), e);
        }
    }

    private static void collectAtomic(@Nullable Object value, OwnershipSchema shape, String path, List<String> atomic) {
        if (value instanceof JsonObject map && shape.handling(value) == OwnershipSchema.Handling.MAP) {
            if (shape.isAtomicMap()) {
                atomic.add(path);
            }
            for (Map.Entry<String, @Nullable Object> field : map.entrySet()) {
                if (shape.isNamed(field.getKey())) {
                    collectAtomic(
                            field.getValue(), shape.knownField(field.getKey()), path + "." + field.getKey(), atomic);
                }
            }
        } else if (value instanceof List<?> list && shape.handling(value) == OwnershipSchema.Handling.LIST) {
            if (shape.items() == OwnershipSchema.Items.ATOMIC) {
                atomic.add(path);
            }
            for (int i = 0; i < list.size(); i++) {
                collectAtomic(list.get(i), shape.item(), path + "[" + i + "]", atomic);
            }
        }
    }
}
