package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Resources within an object ({@code x-kubernetes-embedded-resource}): their apiVersion, kind and metadata. */
record EmbeddedResources(@Nullable SchemaTrie root) {
    static EmbeddedResources of(Schema schema) {
        return new EmbeddedResources(SchemaTrie.of(schema, Schema::embedded));
    }

    /**
     * Coerces the metadata of every embedded resource, in place.
     *
     * @param unknown receives the path of each unknown field
     * @throws MalformedObjectException when a field of a type or of metadata is of the wrong type
     */
    void coerce(@Nullable Object value, Consumer<String> unknown) {
        walk(value, (object, path) -> coerceResource(object, path.isEmpty() ? "" : path + ".", unknown));
    }

    /** Adds the errors of the embedded resources. */
    void validate(@Nullable Object value, List<FieldError> errors) {
        validate(value, "", errors);
    }

    /** Adds the errors of the embedded resources in a value at a path. */
    void validate(@Nullable Object value, String at, List<FieldError> errors) {
        walk(value, (object, path) -> {
            boolean plain = at.isEmpty() || path.isEmpty() || path.startsWith("[");
            validateResource(Field.of(at + (plain ? "" : ".") + path, object, errors));
        });
    }

    private void walk(@Nullable Object value, BiConsumer<JsonObject, String> visitor) {
        SchemaTrie.walk(root, value, (schema, resource, trail) -> {
            if (resource instanceof JsonObject object) {
                visitor.accept(object, trail.bracketed());
            }
        });
    }

    private static void coerceResource(JsonObject object, String prefix, Consumer<String> unknown) {
        for (String name : List.of("apiVersion", "kind")) {
            if (object.containsKey(name) && !(object.get(name) instanceof String)) {
                throw malformed(prefix + name, object.get(name), "must be a string");
            }
        }
        Object metadata = Json.copy(object.get("metadata"));
        try {
            MetadataCoercion.coerce(object, prefix + "metadata", unknown);
        } catch (MalformedObjectException e) {
            throw malformed(prefix + "metadata", metadata, String.valueOf(e.getMessage()));
        }
    }

    private static MalformedObjectException malformed(String field, @Nullable Object value, String detail) {
        FieldError error = FieldError.invalid(field, value, detail);
        return new MalformedObjectException(error.text());
    }

    /** Adds the errors of the type and metadata of an embedded resource. */
    static void validateResource(Field resource) {
        JsonObject object = resource.object();
        for (String name : List.of("apiVersion", "kind")) {
            if (!object.containsKey(name)) {
                resource.at(name).missing();
            }
        }
        for (String name : List.of("apiVersion", "kind")) {
            Field field = resource.at(name);
            String text = field.text();
            String wrong = name.equals("kind") ? wrongKind(text) : wrongVersion(text);
            if (object.containsKey(name) && !(field.value() instanceof String)) {
                field.invalid("must be a string");
            } else if (field.given() && (text.isEmpty() || !wrong.isEmpty())) {
                field.invalid(text.isEmpty() ? "must not be empty" : wrong);
            }
        }
        resource.find("metadata").ifPresent(MetadataRules::validateEmbedded);
    }

    private static String wrongVersion(String text) {
        return text.indexOf('/') == text.lastIndexOf('/') ? "" : "unexpected GroupVersion string: " + text;
    }

    private static String wrongKind(String text) {
        List<String> wrong = Names.label1035(text.toLowerCase(Locale.ROOT));
        return wrong.isEmpty() ? "" : "may have mixed case, but should otherwise match: " + String.join(",", wrong);
    }
}
