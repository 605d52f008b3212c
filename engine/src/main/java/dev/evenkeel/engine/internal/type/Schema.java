package dev.evenkeel.engine.internal.type;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        /** Text. */
        STRING,
        /** A whole number. */
        INTEGER,
        /** Any number. */
        NUMBER,
        /** true or false. */
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

    private final Type type;
    private final String format;
    private final boolean intOrString;
    private final boolean preserveUnknown;
    private final boolean embedded;
    private final boolean nullable;
    private final Supplier<Map<String, Schema>> properties;
    private final @Nullable Supplier<Schema> items;
    private final @Nullable Supplier<Schema> additional;
    private final ListType listType;
    private final boolean listTypeSet;
    private final List<String> listKeys;
    private final boolean atomicMap;
    private final String patchStrategy;
    private final String patchMergeKey;
    private final boolean hasDefault;
    private final @Nullable Object defaultValue;
    private final Supplier<List<String>> required;
    private final JsonObject source;
    private final String reference;
    private volatile @Nullable Map<String, Schema> resolved;

    private Schema(Builder b) {
        type = b.type;
        format = b.format;
        intOrString = b.intOrString;
        preserveUnknown = b.preserveUnknown;
        embedded = b.embedded;
        nullable = b.nullable;
        properties = b.properties;
        items = b.items;
        additional = b.additional;
        listType = b.listType == null ? ListType.ATOMIC : b.listType;
        listTypeSet = b.listType != null;
        listKeys = List.copyOf(b.listKeys);
        atomicMap = b.atomicMap;
        patchStrategy = b.patchStrategy;
        patchMergeKey = b.patchMergeKey;
        hasDefault = b.hasDefault;
        defaultValue = b.defaultValue;
        required = b.required;
        source = b.source;
        reference = b.reference;
    }

    /** Starts a schema of a type. */
    public static Builder builder(Type type) {
        return new Builder(type);
    }

    /** Returns the JSON type. */
    public Type type() {
        return type;
    }

    /** Returns the format, such as {@code int32} or {@code date-time}; empty when none. */
    public String format() {
        return format;
    }

    /** Returns true if both an integer and a string are allowed. */
    public boolean intOrString() {
        return intOrString;
    }

    /** Returns true if fields that the schema does not name are kept. */
    public boolean preserveUnknown() {
        return preserveUnknown;
    }

    /** Returns true if the value is a whole resource of its own, with apiVersion, kind and metadata. */
    public boolean embedded() {
        return embedded;
    }

    /** Returns true if null is a value of its own here. */
    public boolean nullable() {
        return nullable;
    }

    /** Returns the named fields, in the order of their declaration. */
    public Map<String, Schema> properties() {
        Map<String, Schema> result = resolved;
        if (result == null) {
            result = properties.get();
            resolved = result;
        }
        return result;
    }

    /** Returns the schema of a named field. */
    public @Nullable Schema property(String name) {
        return properties().get(name);
    }

    /** Returns the schema of the items of an array. */
    public @Nullable Schema items() {
        return items == null ? null : items.get();
    }

    /** Returns the schema of the values of a map; null when only {@link #properties()} are allowed. */
    public @Nullable Schema additional() {
        return additional == null ? null : additional.get();
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
        return listType;
    }

    /** Returns true if the schema sets {@link #listType()}; false if it is only the default. */
    public boolean listTypeSet() {
        return listTypeSet;
    }

    /** Returns the keys of a {@link ListType#MAP}, in the order of their declaration. */
    public List<String> listKeys() {
        return listKeys;
    }

    /** Returns true if an object is owned and replaced as one value. */
    public boolean atomicMap() {
        return atomicMap;
    }

    /**
     * Returns {@code merge}, {@code replace}, {@code retainKeys} or a comma-separated combination; empty when not
     * given.
     */
    public String patchStrategy() {
        return patchStrategy;
    }

    /** Returns the key by which strategic merge identifies items; empty when not given. */
    public String patchMergeKey() {
        return patchMergeKey;
    }

    /** Returns true if there is a default. */
    public boolean hasDefault() {
        return hasDefault;
    }

    /** Returns a fresh copy of the default; null is a default too, see {@link #hasDefault()}. */
    public @Nullable Object defaultValue() {
        return Json.copy(defaultValue);
    }

    /** Returns the required fields. */
    public List<String> required() {
        return required.get();
    }

    /**
     * Returns the schema as written (OpenAPI v3, as in a CustomResourceDefinition): limits, patterns, enumerations,
     * value validations, descriptions and rules are read from here. Empty for built-in kinds. Must not be changed.
     */
    public JsonObject source() {
        return source;
    }

    /** Returns the name of the definition this schema stands for, for OpenAPI documents; empty when it has none. */
    public String reference() {
        return reference;
    }

    @Override
    public String toString() {
        return "Schema[" + (reference.isEmpty() ? type.text() : reference) + "]";
    }

    /** Builds a schema. */
    public static final class Builder {
        private final Type type;
        private String format = "";
        private boolean intOrString;
        private boolean preserveUnknown;
        private boolean embedded;
        private boolean nullable;
        private Supplier<Map<String, Schema>> properties = Map::of;
        private @Nullable Supplier<Schema> items;
        private @Nullable Supplier<Schema> additional;
        private @Nullable ListType listType;
        private List<String> listKeys = List.of();
        private boolean atomicMap;
        private String patchStrategy = "";
        private String patchMergeKey = "";
        private boolean hasDefault;
        private @Nullable Object defaultValue;
        private Supplier<List<String>> required = List::of;
        private JsonObject source = new JsonObject();
        private String reference = "";

        private Builder(Type type) {
            this.type = type;
        }

        /** Sets the format. */
        public Builder format(String value) {
            format = value;
            return this;
        }

        /** Allows both an integer and a string. */
        public Builder intOrString(boolean value) {
            intOrString = value;
            return this;
        }

        /** Keeps unknown fields. */
        public Builder preserveUnknown(boolean value) {
            preserveUnknown = value;
            return this;
        }

        /** Sets whether the value is a resource of its own. */
        public Builder embedded(boolean value) {
            embedded = value;
            return this;
        }

        /** Sets whether null is a value. */
        public Builder nullable(boolean value) {
            nullable = value;
            return this;
        }

        /** Sets the named fields. */
        public Builder properties(Map<String, Schema> value) {
            Map<String, Schema> copy = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(value));
            properties = () -> copy;
            return this;
        }

        /** Sets a supplier of the named fields, called on first use. */
        public Builder properties(Supplier<Map<String, Schema>> value) {
            properties = value;
            return this;
        }

        /** Sets the schema of the items. */
        public Builder items(Schema value) {
            items = () -> value;
            return this;
        }

        /** Sets a supplier of the schema of the items. */
        public Builder items(Supplier<Schema> value) {
            items = value;
            return this;
        }

        /** Sets the schema of the values of a map. */
        public Builder additional(Schema value) {
            additional = () -> value;
            return this;
        }

        /** Sets a supplier of the schema of the values of a map. */
        public Builder additional(Supplier<Schema> value) {
            additional = value;
            return this;
        }

        /** Sets how items are identified. */
        public Builder listType(ListType value) {
            listType = value;
            return this;
        }

        /** Makes the array a list map with these keys. */
        public Builder listKeys(List<String> value) {
            listKeys = new ArrayList<>(value);
            return this;
        }

        /** Sets whether the object is owned as one value. */
        public Builder atomicMap(boolean value) {
            atomicMap = value;
            return this;
        }

        /** Sets strategy and key for strategic merge. */
        public Builder patch(String strategy, String mergeKey) {
            patchStrategy = strategy;
            patchMergeKey = mergeKey;
            return this;
        }

        /** Sets the default. */
        public Builder defaultValue(@Nullable Object value) {
            hasDefault = true;
            defaultValue = value;
            return this;
        }

        /** Sets the required fields. */
        public Builder required(List<String> value) {
            List<String> copy = List.copyOf(value);
            required = () -> copy;
            return this;
        }

        /** Sets a supplier of the required fields, called on first use. */
        public Builder required(Supplier<List<String>> value) {
            required = value;
            return this;
        }

        /** Sets the schema as written. */
        public Builder source(JsonObject value) {
            source = value;
            return this;
        }

        /** Sets the name of the definition. */
        public Builder reference(String value) {
            reference = value;
            return this;
        }

        /** Returns the schema. */
        public Schema build() {
            return new Schema(this);
        }
    }

    /** Returns the default, if there is one other than null. */
    public Optional<Object> nonNullDefault() {
        return hasDefault ? Optional.ofNullable(defaultValue()) : Optional.empty();
    }
}
