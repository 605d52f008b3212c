package dev.evenkeel.engine.internal.cel;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Names;
import java.math.BigInteger;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The type of the values of a schema for rules: the CEL type, the conversion from JSON, and the bounds of sizes.
 *
 * <p>A value is wrapped only when it is accessed, so that evaluating a rule copies nothing of the object: an object is
 * a view of its JSON with fields under their escaped names, a list a view of its items.
 *
 * <p>Sizes are in elements (characters, items, entries), and bound the cost of rules before any is run; where the
 * schema sets no bound, the size of the largest request does.
 *
 * <p>Immutable after construction.
 */
final class SchemaType {
    /** The largest request. */
    static final long MAX_REQUEST = 3L * 1024 * 1024;

    private enum Kind {
        INT_OR_STRING,
        LIST,
        MAP,
        OBJECT,
        TEXT,
        BYTES,
        DURATION,
        DATE,
        TIMESTAMP,
        BOOLEAN,
        NUMBER,
        INTEGER,
        /** Preserved without a type: supports comparison only. */
        OPAQUE,
        NONE
    }

    private enum Identity {
        POSITION,
        VALUE,
        KEYS
    }

    private record Field(String name, SchemaType shape) {}

    private final Kind kind;
    private final boolean nullable;
    private final @Nullable CelType type;
    private final long maxElements;
    private final long minSize;
    /** By identifier; only those visible to rules. */
    private Map<String, Field> fields = Map.of();
    /** By name in JSON; all fields. */
    private Map<String, SchemaType> named = Map.of();

    private @Nullable SchemaType elements;
    private Identity identity = Identity.POSITION;
    private List<String> keys = List.of();

    private SchemaType(JsonObject source, Kind kind, @Nullable CelType type, long maxElements, long minSize) {
        this.nullable = source.bool("nullable");
        this.kind = kind;
        this.type = type;
        this.maxElements = maxElements;
        this.minSize = minSize;
    }

    /**
     * Reads a schema.
     *
     * @param source the schema as written
     * @param resource true if apiVersion, kind and metadata always exist
     * @param name the name of the type, if it is an object
     * @param structs collects the types of objects, by name
     */
    static SchemaType of(JsonObject source, boolean resource, String name, Map<String, CelType> structs) {
        if (source.bool("x-kubernetes-int-or-string")) {
            long max = limit(source, "maxLength", -1);
            return new SchemaType(source, Kind.INT_OR_STRING, SimpleType.DYN, max < 0 ? MAX_REQUEST - 2 : max * 4, 1);
        }
        return switch (source.string("type")) {
            case "array" -> list(source, name, structs);
            case "object" -> object(source, resource, name, structs);
            case "string" -> text(source);
            case "boolean" -> new SchemaType(source, Kind.BOOLEAN, SimpleType.BOOL, 0, 4);
            case "number" -> new SchemaType(source, Kind.NUMBER, SimpleType.DOUBLE, 0, 1);
            case "integer" -> new SchemaType(source, Kind.INTEGER, SimpleType.INT, 0, 1);
            default -> {
                boolean preserves = source.bool("x-kubernetes-preserve-unknown-fields");
                yield new SchemaType(source, preserves ? Kind.OPAQUE : Kind.NONE, null, 0, 0);
            }
        };
    }

    private static SchemaType list(JsonObject source, String name, Map<String, CelType> structs) {
        SchemaType item = source.findObject("items")
                .map(items -> of(items, embedded(items), name + ".@idx", structs))
                .orElse(null);
        SchemaType list = container(source, Kind.LIST, item, "maxItems", 1);
        switch (source.string("x-kubernetes-list-type")) {
            case "set" -> list.identity = Identity.VALUE;
            case "map" -> {
                list.identity = Identity.KEYS;
                list.keys = source.array("x-kubernetes-list-map-keys").stream()
                        .map(String::valueOf)
                        .toList();
            }
            default -> {}
        }
        return list;
    }

    /** Returns the shape of a list or map, whose elements need some more characters each. */
    private static SchemaType container(
            JsonObject source, Kind kind, @Nullable SchemaType element, String limit, int more) {
        SchemaType container;
        if (element == null || element.type == null) {
            container = new SchemaType(source, kind, null, 0, 0);
        } else {
            CelType type =
                    kind == Kind.LIST ? ListType.create(element.type) : MapType.create(SimpleType.STRING, element.type);
            long most = limit(source, limit, (MAX_REQUEST - 2) / (element.minSize + more));
            container = new SchemaType(source, kind, type, most, 2);
        }
        container.elements = element;
        return container;
    }

    private static SchemaType object(JsonObject source, boolean resource, String name, Map<String, CelType> structs) {
        JsonObject values = source.findObject("additionalProperties").orElse(null);
        if (values != null && !resource) {
            SchemaType value = of(values, embedded(values), name + ".@elem", structs);
            boolean invisible = value.type == null && source.get("properties") instanceof JsonObject;
            return container(source, invisible ? Kind.OBJECT : Kind.MAP, value, "maxProperties", 6);
        }
        JsonObject properties = new JsonObject(source.object("properties"));
        if (resource) {
            JsonObject text = JsonObject.of("type", "string");
            JsonObject names = JsonObject.of("name", text, "generateName", text);
            properties
                    .set("apiVersion", text)
                    .set("kind", text)
                    .set("metadata", JsonObject.of("type", "object", "properties", names));
        }
        properties.sort(Comparator.naturalOrder());
        List<?> required = source.array("required");
        long size = 2;
        Map<String, Field> fields = new HashMap<>();
        Map<String, SchemaType> named = new HashMap<>();
        for (Map.Entry<String, @Nullable Object> entry : properties.entrySet()) {
            if (!(entry.getValue() instanceof JsonObject property)) {
                continue;
            }
            String field = entry.getKey();
            Optional<String> identifier = FieldNames.escape(field);
            SchemaType inner = of(property, embedded(property), name + "." + identifier.orElse("@" + field), structs);
            named.put(field, inner);
            if (inner.type != null) {
                identifier.ifPresent(id -> fields.put(id, new Field(field, inner)));
                if (required.contains(field) && property.get("default") == null) {
                    size += field.length() + inner.minSize + 4;
                }
            }
        }
        ImmutableMap<String, CelType> types = ImmutableMap.copyOf(Maps.transformValues(fields, f -> f.shape.type()));
        structs.put(
                name,
                StructType.create(name, types.keySet(), identifier -> Optional.ofNullable(types.get(identifier))));
        SchemaType object = new SchemaType(source, Kind.OBJECT, StructTypeReference.create(name), 0, size);
        object.fields = fields;
        object.named = named;
        return object;
    }

    private static SchemaType text(JsonObject source) {
        long max = limit(source, "maxLength", -1);
        return switch (source.string("format")) {
            case "byte" -> new SchemaType(source, Kind.BYTES, SimpleType.BYTES, max < 0 ? MAX_REQUEST - 2 : max, 2);
            case "duration" -> new SchemaType(source, Kind.DURATION, SimpleType.DURATION, 32, 3);
            case "date" -> new SchemaType(source, Kind.DATE, SimpleType.TIMESTAMP, 12, 12);
            case "date-time" -> new SchemaType(source, Kind.TIMESTAMP, SimpleType.TIMESTAMP, 32, 21);
            default -> {
                long most = max >= 0 ? max * 4 : MAX_REQUEST - 2;
                if (max < 0 && !source.array("enum").isEmpty()) {
                    most = source.strings("enum").stream()
                            .mapToLong(Names::bytes)
                            .max()
                            .orElse(0);
                }
                yield new SchemaType(source, Kind.TEXT, SimpleType.STRING, most, 2);
            }
        };
    }

    private static boolean embedded(JsonObject source) {
        return source.bool("x-kubernetes-embedded-resource");
    }

    private static long limit(JsonObject source, String key, long otherwise) {
        return source.get(key) instanceof Number number ? Math.max(0, number.longValue()) : otherwise;
    }

    /** Returns true if rules can see values of this shape. */
    boolean visible() {
        return type != null;
    }

    CelType type() {
        if (type == null) {
            throw new IllegalStateException("not visible");
        }
        return type;
    }

    /** Returns the maximum number of elements of a value; 0 for scalars and objects. */
    long maxElements() {
        return maxElements;
    }

    /** Returns the minimum length of a value in JSON. */
    long minSize() {
        return minSize;
    }

    /** Returns the shape of a visible field. */
    @Nullable
    SchemaType field(String identifier) {
        Field field = fields.get(identifier);
        return field == null ? null : field.shape;
    }

    /** Returns the shape of items, or of the values of a map, if rules can see them. */
    @Nullable
    SchemaType element() {
        return type == null || kind == Kind.OBJECT ? null : elements;
    }

    /** Returns the size of the value on a path from a value of this type; null when it is unspecified. */
    @Nullable
    CostRange size(List<String> path) {
        SchemaType at = this;
        for (String step : path.subList(1, path.size())) {
            SchemaType next = switch (step) {
                case "@items", "@values" -> at.element();
                case "@keys" -> null;
                default -> at.field(step);
            };
            if (step.equals("@keys") && at.isMap()) {
                // the type of keys has no bound of its own, which upstream treats as absent
                return CostRange.ZERO;
            }
            if (next == null) {
                return null;
            }
            at = next;
        }
        return new CostRange(0, at.maxElements());
    }

    boolean isMap() {
        return kind == Kind.MAP;
    }

    /** Converts a JSON value to a value of CEL. */
    Object read(@Nullable Object json) {
        if (json == null) {
            return nullable ? Nothing.NULL : new Problem("invalid data, got null for schema with nullable=false");
        }
        return switch (kind) {
            case INT_OR_STRING ->
                json instanceof String || json instanceof Long
                        ? json
                        : new Problem("invalid data, expected XIntOrString value to be either a string or integer");
            case LIST ->
                json instanceof List<?> list && elements != null
                        ? new Items(list, elements, identity, keys)
                        : new Problem("invalid data, expected an array for the provided schema with type=array");
            case MAP, OBJECT ->
                json instanceof JsonObject map
                        ? new Fields(map, this)
                        : new Problem("invalid data, expected a map for the provided schema with type=object");
            case TEXT, BYTES, DURATION, DATE, TIMESTAMP ->
                json instanceof String text ? text(text) : new Problem("invalid data, expected string");
            case BOOLEAN -> json instanceof Boolean ? json : new Problem("invalid data, expected bool");
            case NUMBER ->
                json instanceof Number number
                        ? (Object) number.doubleValue()
                        : new Problem("invalid data, expected float");
            case INTEGER -> integer(json);
            case OPAQUE -> new Preserved(json);
            case NONE -> new Problem("invalid type");
        };
    }

    private static Object integer(Object json) {
        return switch (json) {
            case Long number -> number;
            case Double number when number == Math.rint(number) && Math.abs(number) < 0x1p63 -> number.longValue();
            case BigInteger number when number.bitLength() < 64 -> number.longValue();
            default -> new Problem("invalid data, expected int");
        };
    }

    private Object text(String text) {
        return switch (kind) {
            case BYTES -> {
                try {
                    yield new Octets(Base64.getDecoder().decode(text));
                } catch (IllegalArgumentException e) {
                    yield new Problem("Invalid byte formatted string " + text + ": " + e.getMessage());
                }
            }
            case DURATION -> Problem.unless(Timestamps.duration(text), () -> new Problem("Invalid duration " + text));
            case DATE ->
                Problem.unless(
                        Timestamps.timestamp(text + "T00:00:00Z"),
                        () -> new Problem("Invalid date formatted string " + text));
            case TIMESTAMP ->
                Problem.unless(
                        Timestamps.timestamp(text), () -> new Problem("Invalid date-time formatted string " + text));
            default -> text;
        };
    }

    /** A value of unknown type. */
    private record Preserved(Object json) {}

    private record Items(List<?> json, SchemaType shape, Identity identity, List<String> keys) implements ListValue {
        @Override
        public int size() {
            return json.size();
        }

        @Override
        public Object get(int index) {
            return shape.read(json.get(index));
        }

        /** Compares sets and list maps in any order. */
        @Override
        public Object equalTo(ListValue other) {
            if (identity == Identity.POSITION || size() != other.size()) {
                return ListValue.super.equalTo(other);
            }
            Map<Object, Object> mine = byIdentity(this);
            Map<Object, Object> its = byIdentity(other);
            if (mine.size() != its.size()) {
                return false;
            }
            for (Map.Entry<Object, Object> entry : mine.entrySet()) {
                Object counterpart = its.get(entry.getKey());
                if (counterpart == null) {
                    return false;
                }
                Object equal = Equality.of(entry.getValue(), counterpart);
                if (!Boolean.TRUE.equals(equal)) {
                    return equal;
                }
            }
            return true;
        }

        /** Unites sets; in list maps, items of the other list replace those with the same keys. */
        @Override
        public ListValue plus(ListValue other) {
            if (identity == Identity.POSITION) {
                return ListValue.super.plus(other);
            }
            Map<Object, Object> all = byIdentity(this);
            if (identity == Identity.VALUE) {
                byIdentity(other).forEach(all::putIfAbsent);
            } else {
                all.putAll(byIdentity(other));
            }
            return ListValue.of(List.copyOf(all.values()));
        }

        private Map<Object, Object> byIdentity(ListValue list) {
            Map<Object, Object> result = LinkedHashMap.newLinkedHashMap(list.size());
            for (int i = 0; i < list.size(); i++) {
                Object item = list.get(i);
                result.put(identity == Identity.VALUE ? comparable(item) : identity(item), item);
            }
            return result;
        }

        private Object identity(Object item) {
            return item instanceof MapValue map
                    ? keys.stream()
                            .map(key -> Optional.ofNullable(
                                            map.find(FieldNames.escape(key).orElse(key)))
                                    .map(Equality::key))
                            .toList()
                    : item;
        }

        /** Returns the JSON of views, which have no equality of their own. */
        private static Object comparable(Object item) {
            return switch (item) {
                case Items items -> items.json;
                case Fields fields -> fields.json;
                default -> Equality.key(item);
            };
        }
    }

    /** The fields of an object under their identifiers, or the entries of a map. */
    private record Fields(JsonObject json, SchemaType shape) implements MapValue {
        @Override
        public int size() {
            return json.size();
        }

        @Override
        public List<Object> keys() {
            if (shape.kind == Kind.MAP) {
                return List.copyOf(new TreeMap<>(json).keySet());
            }
            return shape.fields.entrySet().stream()
                    .filter(field -> json.get(field.getValue().name) != null)
                    .<Object>map(Map.Entry::getKey)
                    .sorted()
                    .toList();
        }

        @Override
        public @Nullable Object find(Object key) {
            if (shape.kind == Kind.MAP) {
                SchemaType elements = shape.elements;
                return elements != null && json.containsKey(key) ? elements.read(json.get(key)) : null;
            }
            Field field = shape.fields.get(key);
            Object value = field == null ? null : json.get(field.name);
            // null is treated as absent
            return field == null || value == null ? null : field.shape.read(value);
        }

        /** Compares objects by all their fields, also those invisible to rules. */
        @Override
        public Object equalTo(MapValue other) {
            if (shape.kind == Kind.MAP || !(other instanceof Fields its)) {
                return MapValue.super.equalTo(other);
            }
            if (json.size() != its.json.size()) {
                return false;
            }
            for (Map.Entry<?, ?> entry : json.entrySet()) {
                Object value = entry.getValue();
                Object counterpart = its.json.get(entry.getKey());
                if (value == null || counterpart == null) {
                    if (value != null || counterpart != null) {
                        return false;
                    }
                    continue;
                }
                SchemaType inner = shape.named.get(entry.getKey());
                Object equal = inner == null || inner.kind == Kind.NONE
                        ? (Object) value.equals(counterpart)
                        : Equality.of(inner.read(value), inner.read(counterpart));
                if (!Boolean.TRUE.equals(equal)) {
                    return equal;
                }
            }
            return true;
        }
    }
}
