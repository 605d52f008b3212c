package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A schema from the perspective of ownership: which values are owned as a whole, which field by field or item by item,
 * and how items are distinguished.
 *
 * @param open true if the schema, or one around it, keeps fields it does not name
 */
record OwnershipSchema(Schema schema, boolean open) {
    /** The type is unknown: objects are owned field by field, lists as a whole. */
    static final OwnershipSchema DEDUCED = new OwnershipSchema(Schema.ANY, true);

    /** The type is unknown, and everything is owned as a whole. */
    private static final OwnershipSchema OPAQUE = new OwnershipSchema(
            Schema.builder(Schema.Type.ANY)
                    .preserveUnknown(true)
                    .atomicMap(true)
                    .build(),
            true);

    /** The handling of a value: as an object, as a list, or as a whole. */
    enum Handling {
        MAP,
        LIST,
        SCALAR
    }

    /** The way items are distinguished: not at all, by value, or by keys. */
    enum Items {
        ATOMIC,
        SET,
        KEYED
    }

    static OwnershipSchema of(Schema schema) {
        return new OwnershipSchema(schema, schema.preserveUnknown());
    }

    private OwnershipSchema inside(Schema inner) {
        return new OwnershipSchema(inner, open || inner.preserveUnknown());
    }

    /** Returns the handling of the value; where the schema leaves it open, the value decides. */
    Handling handling(@Nullable Object value) {
        if (isIntOrString()) {
            return Handling.SCALAR;
        }
        return switch (isRaw() ? Schema.Type.ANY : schema.type()) {
            case OBJECT -> Handling.MAP;
            case ARRAY -> Handling.LIST;
            case STRING, INTEGER, NUMBER, BOOLEAN -> Handling.SCALAR;
            case ANY -> {
                if (value instanceof List<?>) {
                    yield Handling.LIST;
                }
                boolean scalar = value instanceof String || value instanceof Number || value instanceof Boolean;
                yield scalar ? Handling.SCALAR : Handling.MAP;
            }
        };
    }

    /** Returns true if the schema names the field. */
    boolean isNamed(String field) {
        return schema.property(field) != null;
    }

    /** Returns the shape of a field; null when the schema does not allow it. */
    @Nullable
    OwnershipSchema field(String name) {
        Schema field = schema.property(name) != null ? schema.property(name) : schema.additional();
        if (field != null) {
            return inside(field);
        }
        return open || schema.properties().isEmpty() ? DEDUCED : null;
    }

    /** Returns the shape of a field, deduced when the schema does not allow it: for objects that are stored already. */
    OwnershipSchema knownField(String name) {
        OwnershipSchema field = field(name);
        return field == null ? DEDUCED : field;
    }

    OwnershipSchema item() {
        Schema items = schema.items();
        return items == null ? OPAQUE : inside(items);
    }

    /** Returns the shape of the value at an element; null when it is unknown. */
    @Nullable
    OwnershipSchema below(PathElement element) {
        return switch (element) {
            case PathElement.Field field -> schema.type() == Schema.Type.ARRAY ? null : field(field.name());
            case PathElement.Key key -> schema.items() == null ? null : item();
            case PathElement.Item value -> schema.items() == null ? null : item();
            case PathElement.Index index -> null;
        };
    }

    /** Returns true if an object is owned as a whole. */
    boolean isAtomicMap() {
        return schema.atomicMap();
    }

    /** Returns true if a value owned as this set in a former schema is owned as a whole in this one. */
    boolean isAtomic(FieldSet former) {
        return switch (schema.type()) {
            case OBJECT -> isAtomicMap();
            case ARRAY -> items() == Items.ATOMIC;
            case ANY -> !isDeduced() && isAtomicMap() && !former.isEmpty();
            case STRING, INTEGER, NUMBER, BOOLEAN -> false;
        };
    }

    /** Returns true if the value is a quantity, written as text or as a number. */
    boolean isQuantity() {
        return schema.reference().equals("io.k8s.apimachinery.pkg.api.resource.Quantity");
    }

    /** Returns true if the value is a whole number or text. */
    boolean isIntOrString() {
        return schema.intOrString() || schema.reference().equals("io.k8s.apimachinery.pkg.util.intstr.IntOrString");
    }

    /** Returns true if the value may be anything, although documents call it an object. */
    private boolean isRaw() {
        return schema.reference().equals("io.k8s.apimachinery.pkg.runtime.RawExtension");
    }

    /** Returns true if the schema specifies nothing about objects. */
    boolean isDeduced() {
        return (schema.type() == Schema.Type.ANY || schema.type() == Schema.Type.OBJECT)
                && !schema.atomicMap()
                && schema.additional() == null
                && schema.properties().isEmpty();
    }

    /**
     * Returns how items are distinguished: by the list type or, when there is none, by the strategy of strategic merge.
     */
    Items items() {
        if (schema.listTypeSet()) {
            return switch (schema.listType()) {
                case ATOMIC -> Items.ATOMIC;
                case SET -> Items.SET;
                case MAP -> Items.KEYED;
            };
        }
        if (schema.patchStrategy().equals("merge") || schema.patchStrategy().equals("merge,retainKeys")) {
            return schema.patchMergeKey().isEmpty() ? Items.SET : Items.KEYED;
        }
        return Items.ATOMIC;
    }

    /**
     * Returns the element of an item in a list that is not atomic.
     *
     * @throws UntypedException when the item cannot be distinguished
     */
    PathElement element(@Nullable Object item) {
        if (items() == Items.SET) {
            return switch (item) {
                case JsonObject map ->
                    throw new UntypedException("associative list without keys has an element that's a map type");
                case List<?> list ->
                    throw new UntypedException("not supported: associative list with lists as elements");
                case null ->
                    throw new UntypedException("associative list without keys has an element that's an explicit null");
                default -> PathElement.item(item);
            };
        }
        if (item == null) {
            throw new UntypedException("associative list with keys may not have a null element");
        }
        if (!(item instanceof JsonObject map)) {
            throw new UntypedException("associative list with keys may not have non-map elements");
        }
        List<String> keys = schema.listTypeSet() ? schema.listKeys() : List.of(schema.patchMergeKey());
        TreeMap<String, @Nullable Object> fields = new TreeMap<>();
        for (String key : keys) {
            Object value = map.get(key);
            if (value != null || map.containsKey(key)) {
                fields.put(key, value);
                continue;
            }
            Schema field = schema.items() == null ? null : schema.items().property(key);
            Object preset = field == null || !field.hasDefault() ? null : field.defaultValue();
            if (preset != null) {
                fields.put(key, preset);
            }
        }
        if (fields.isEmpty() && !keys.isEmpty()) {
            throw new UntypedException("associative list with keys has an element that omits all key fields "
                    + keys.stream().map(GoTypes::quoted).toList().toString().replace(", ", " ")
                    + " (and doesn't have default values for any key fields)");
        }
        return PathElement.key(fields);
    }
}
