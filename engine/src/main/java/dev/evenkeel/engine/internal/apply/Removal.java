package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Removes fields and items from a tree. A container is kept, empty, when only its content is removed. The result shares
 * unchanged branches with the tree.
 */
final class Removal {
    private Removal() {}

    static @Nullable Object remove(@Nullable Object value, FieldSet paths, OwnershipSchema shape) {
        if (paths.isEmpty()) {
            return value;
        }
        return switch (shape.handling(value)) {
            case SCALAR -> value;
            case MAP -> value instanceof JsonObject map ? fields(map, paths, shape) : null;
            case LIST -> value instanceof List<?> list ? items(list, paths, shape) : null;
        };
    }

    private static JsonObject fields(JsonObject map, FieldSet paths, OwnershipSchema shape) {
        JsonObject result = new JsonObject(map.size());
        if (shape.isAtomicMap()) {
            return result;
        }
        map.forEach((key, value) -> {
            FieldSet below = paths.below(new PathElement.Field(key));
            if (!below.isMember()) {
                result.put(key, remove(value, below, shape.knownField(key)));
            }
        });
        return result;
    }

    private static List<@Nullable Object> items(List<?> list, FieldSet paths, OwnershipSchema shape) {
        List<@Nullable Object> result = new ArrayList<>(list.size());
        if (shape.items() == OwnershipSchema.Items.ATOMIC) {
            return result;
        }
        OwnershipSchema item = shape.item();
        for (Object value : list) {
            FieldSet below = paths.below(shape.element(value));
            if (!below.isMember()) {
                result.add(remove(value, below, item));
            }
        }
        return result;
    }
}
