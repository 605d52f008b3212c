package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects every field and item of a tree. */
final class FieldCollector {
    private FieldCollector() {}

    static FieldSet collect(@Nullable Object tree, OwnershipSchema shape) {
        FieldSet set = new FieldSet();
        collect(tree, shape, set);
        return set;
    }

    /** Adds the paths of a value to the node of the value. */
    private static void collect(@Nullable Object value, OwnershipSchema shape, FieldSet node) {
        switch (shape.handling(value)) {
            case SCALAR -> node.add();
            case MAP -> {
                if (shape.isAtomicMap()) {
                    node.add();
                } else if (value instanceof JsonObject map) {
                    map.forEach((key, below) -> collectField(key, below, shape, node));
                }
            }
            case LIST -> {
                if (shape.items() == OwnershipSchema.Items.ATOMIC) {
                    node.add();
                } else if (value instanceof List<?> list) {
                    collectItems(list, shape, node);
                }
            }
        }
    }

    private static void collectField(String name, @Nullable Object value, OwnershipSchema shape, FieldSet node) {
        FieldSet below = new FieldSet();
        collect(value, shape.knownField(name), below);
        boolean nothing = value == null || (value instanceof JsonObject map && map.isEmpty());
        if (nothing || !shape.isNamed(name)) {
            below.add();
        }
        node.put(new PathElement.Field(name), below);
    }

    private static void collectItems(List<?> list, OwnershipSchema shape, FieldSet node) {
        OwnershipSchema itemShape = shape.item();
        ItemIndex.of(list, shape).items().forEach((element, items) -> {
            FieldSet below = new FieldSet();
            if (items.size() == 1) {
                collect(items.getFirst(), itemShape, below);
            }
            node.put(element, below.add());
        });
    }
}
