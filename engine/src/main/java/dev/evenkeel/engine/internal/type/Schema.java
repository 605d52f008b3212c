package dev.evenkeel.engine.internal.type;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a value: one model for built-in kinds (compiled from the fact table) and for custom resources (compiled
 * from their structural schema). Pruning, defaulting, validation, server-side apply, strategic merge and OpenAPI all
 * walk this.
 *
 * <p>Immutable once built. Properties are resolved on first use, so that types may refer to themselves.
 */
public final class Schema {
    /** The JSON type; {@code ANY} when unspecified. */
    public enum Type {
        /** Not constrained. */
        ANY,
        /** An object: properties, or a map when {@link Schema#additional()} is present. */
        OBJECT,
        /** An array of {@link Schema#items()}. */
        ARRAY,
        STRING,
        /** A whole number. */
        INTEGER,
        NUMBER,
        BOOLEAN;

        /** Returns the type of a name in OpenAPI documents; {@link #ANY} for other ones. */
        public static Type of(String name) {
            return Stream.of(values())
                    .filter(type -> type.text().equals(name))
                    .findFirst()
                    .orElse(ANY);
        }

        /** Returns the name in OpenAPI documents; empty for {@link #ANY}. */
        public String text() {
            return this == ANY ? "" : name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** The identity of items in a list. */
    public enum ListType {
        /** The list is one value. */
        ATOMIC,
        /** Items are identified by their value; scalars only. */
        SET,
        /** Items are identified by their {@link Schema#listKeys()}. */
        MAP
    }

    /** Any value of unknown type: preserve-unknown-fields without properties. */
    public static final Schema ANY = builder(Type.ANY).preserveUnknown(true).build();

    /** Not changed after {@link Builder#build}. */
    private final Builder parts;

    private volatile @Nullable Map<String, Schema> resolved;

    private Schema(Builder parts) {
        this.parts = parts;
    }

    /** Starts a schema of a type. */
    public static Builder builder(Type type) {
        return new Builder(type);
    }

    public Type type() {
        return parts.type;
    }

    /** Returns the format, such as {@code int32} or {@code date-time}; empty when none. */
    public String format() {
        return parts.format;
    }

    /** Returns true if both an integer and a string are allowed. */
    public boolean intOrString() {
        return parts.intOrString;
    }

    /** Returns true if fields that the schema does not name are kept. */
    public boolean preserveUnknown() {
        return parts.preserveUnknown;
    }

    /** Returns true if the value is a whole resource of its own, with apiVersion, kind and metadata. */
    public boolean embedded() {
        return parts.embedded;
    }

    /** Returns true if null is a value of its own here. */
    public boolean nullable() {
        return parts.nullable;
    }

    /** Returns the named fields, in the order of their declaration. */
    public Map<String, Schema> properties() {
        Map<String, Schema> result = resolved;
        if (result == null) {
            result = parts.properties.get();
            resolved = result;
        }
        return result;
    }

    public @Nullable Schema property(String name) {
        return properties().get(name);
    }

    public @Nullable Schema items() {
        return parts.items == null ? null : parts.items.get();
    }

    /** Returns the schema of the values of a map; null when only {@link #properties()} are allowed. */
    public @Nullable Schema additional() {
        return parts.additional;
    }

    /**
     * Returns the schema of the field of an object: a property, or else the value of a map; null when it is unknown.
     */
    public @Nullable Schema field(String name) {
        Schema property = property(name);
        return property != null ? property : additional();
    }

    /** Returns how items are identified. */
    public ListType listType() {
        return parts.listType == null ? ListType.ATOMIC : parts.listType;
    }

    /** Returns true if the schema sets {@link #listType()}; false if it is only the default. */
    public boolean listTypeSet() {
        return parts.listType != null;
    }

    /** Returns the keys of a {@link ListType#MAP}, in the order of their declaration. */
    public List<String> listKeys() {
        return parts.listKeys;
    }

    /** Returns true if an object is owned and replaced as one value. */
    public boolean atomicMap() {
        return parts.atomicMap;
    }

    /**
     * Returns {@code merge}, {@code replace}, {@code retainKeys} or a comma-separated combination; empty when not
     * given.
     */
    public String patchStrategy() {
        return parts.patchStrategy;
    }

    /** Returns the key by which strategic merge identifies items; empty when not given. */
    public String patchMergeKey() {
        return parts.patchMergeKey;
    }

    public boolean hasDefault() {
        return parts.hasDefault;
    }

    /** Returns a fresh copy of the default; null is a default too, see {@link #hasDefault()}. */
    public @Nullable Object defaultValue() {
        return Json.copy(parts.defaultValue);
    }

    /** Returns the size of the default in JSON. */
    public int defaultSize() {
        return parts.defaultSize;
    }

    public List<String> required() {
        return parts.required.get();
    }

    /**
     * Returns the schema as written (OpenAPI v3, as in a CustomResourceDefinition): limits, patterns, enumerations,
     * value validations, descriptions and rules are read from here. Empty for built-in kinds. Must not be changed.
     */
    public JsonObject source() {
        return parts.source;
    }

    /** Returns the name of the definition this schema stands for, for OpenAPI documents; empty when it has none. */
    public String reference() {
        return parts.reference;
    }

    @Override
    public String toString() {
        return "Schema[" + (parts.reference.isEmpty() ? parts.type.text() : parts.reference) + "]";
    }

    /** Builds one schema. Suppliers are called on first use. */
    public static final class Builder {
        private final Type type;
        private String format = "";
        private boolean intOrString;
        private boolean preserveUnknown;
        private boolean embedded;
        private boolean nullable;
        private Supplier<Map<String, Schema>> properties = Map::of;
        private @Nullable Supplier<Schema> items;
        private @Nullable Schema additional;
        private @Nullable ListType listType;
        private List<String> listKeys = List.of();
        private boolean atomicMap;
        private String patchStrategy = "";
        private String patchMergeKey = "";
        private boolean hasDefault;
        private @Nullable Object defaultValue;
        private int defaultSize;
        private Supplier<List<String>> required = List::of;
        private JsonObject source = new JsonObject();
        private String reference = "";

        private Builder(Type type) {
            this.type = type;
        }

        public Builder format(String value) {
            format = value;
            return this;
        }

        public Builder intOrString(boolean value) {
            intOrString = value;
            return this;
        }

        public Builder preserveUnknown(boolean value) {
            preserveUnknown = value;
            return this;
        }

        public Builder embedded(boolean value) {
            embedded = value;
            return this;
        }

        public Builder nullable(boolean value) {
            nullable = value;
            return this;
        }

        public Builder properties(Map<String, Schema> value) {
            Map<String, Schema> copy = Collections.unmodifiableMap(new LinkedHashMap<>(value));
            return properties(() -> copy);
        }

        /** Sets a supplier of the named fields, called on first use. */
        public Builder properties(Supplier<Map<String, Schema>> value) {
            properties = value;
            return this;
        }

        public Builder items(Schema value) {
            return items(() -> value);
        }

        /** Sets a supplier of the schema of the items. */
        public Builder items(Supplier<Schema> value) {
            items = value;
            return this;
        }

        public Builder additional(Schema value) {
            additional = value;
            return this;
        }

        public Builder listType(ListType value) {
            listType = value;
            return this;
        }

        public Builder listKeys(List<String> value) {
            listKeys = List.copyOf(value);
            return this;
        }

        public Builder atomicMap(boolean value) {
            atomicMap = value;
            return this;
        }

        public Builder patch(String strategy, String mergeKey) {
            patchStrategy = strategy;
            patchMergeKey = mergeKey;
            return this;
        }

        public Builder defaultValue(@Nullable Object value) {
            hasDefault = true;
            defaultValue = value;
            defaultSize = value instanceof JsonObject || value instanceof List || value instanceof String
                    ? Json.write(value).length
                    : 8;
            return this;
        }

        public Builder required(List<String> value) {
            List<String> copy = List.copyOf(value);
            return required(() -> copy);
        }

        /** Sets a supplier of the required fields, called on first use. */
        public Builder required(Supplier<List<String>> value) {
            required = value;
            return this;
        }

        public Builder source(JsonObject value) {
            source = value;
            return this;
        }

        public Builder reference(String value) {
            reference = value;
            return this;
        }

        public Schema build() {
            return new Schema(this);
        }
    }
}
