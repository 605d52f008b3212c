package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Resources within an object ({@code x-kubernetes-embedded-resource}): their apiVersion, kind and metadata. */
final class EmbeddedResources {
    private final @Nullable SchemaTrie root;

    private EmbeddedResources(@Nullable SchemaTrie root) {
        this.root = root;
    }

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
        if (root != null) {
            walk(root, value, new Trail(), (object, trail) -> coerceResource(object, trail, unknown));
        }
    }

    /** Adds the errors of the embedded resources. */
    void validate(@Nullable Object value, Consumer<FieldError> errors) {
        if (root != null) {
            walk(root, value, new Trail(), (object, trail) -> validateResource(object, trail, errors));
        }
    }

    private interface Visitor {
        void visit(JsonObject resource, Trail trail);
    }

    private static void walk(SchemaTrie node, @Nullable Object value, Trail trail, Visitor visitor) {
        if (value instanceof JsonObject) {
            JsonObject object = Json.asObject(value);
            if (node.here()) {
                visitor.visit(object, trail);
            }
            for (Map.Entry<String, SchemaTrie> field : node.fields()) {
                Object child = object.get(field.getKey());
                if (child != null) {
                    trail.field(field.getKey());
                    walk(field.getValue(), child, trail, visitor);
                    trail.pop();
                }
            }
            SchemaTrie additional = node.additional();
            if (additional != null) {
                object.forEach((name, child) -> {
                    if (child != null && !node.named().contains(name)) {
                        trail.key(name);
                        walk(additional, child, trail, visitor);
                        trail.pop();
                    }
                });
            }
        } else if (value instanceof List<?> list && node.items() != null) {
            for (int i = 0; i < list.size(); i++) {
                trail.index(i);
                walk(node.items(), list.get(i), trail, visitor);
                trail.pop();
            }
        }
    }

    private static void coerceResource(JsonObject object, Trail trail, Consumer<String> unknown) {
        String path = trail.bracketed();
        String prefix = path.isEmpty() ? "" : path + ".";
        for (String name : List.of("apiVersion", "kind")) {
            if (object.containsKey(name) && !(object.get(name) instanceof String)) {
                throw new MalformedObjectException(
                        FieldError.invalid(prefix + name, object.get(name), "must be a string")
                                .text());
            }
        }
        Object metadata = Json.copy(object.get("metadata"));
        try {
            MetadataCoercion.coerce(object, prefix + "metadata", unknown);
        } catch (MalformedObjectException e) {
            throw new MalformedObjectException(
                    FieldError.invalid(prefix + "metadata", metadata, String.valueOf(e.getMessage()))
                            .text());
        }
    }

    private static void validateResource(JsonObject object, Trail trail, Consumer<FieldError> errors) {
        String path = trail.bracketed();
        String prefix = path.isEmpty() ? "" : path + ".";
        for (String name : List.of("apiVersion", "kind")) {
            if (!object.containsKey(name)) {
                errors.accept(FieldError.required(prefix + name, ""));
            }
        }
        Object apiVersion = object.get("apiVersion");
        if (object.containsKey("apiVersion")) {
            String field = prefix + "apiVersion";
            if (!(apiVersion instanceof String text)) {
                errors.accept(FieldError.invalid(field, apiVersion, "must be a string"));
            } else if (text.isEmpty()) {
                errors.accept(FieldError.invalid(field, text, "must not be empty"));
            } else if (text.indexOf('/') != text.lastIndexOf('/')) {
                errors.accept(FieldError.invalid(field, text, "unexpected GroupVersion string: " + text));
            }
        }
        Object kind = object.get("kind");
        if (object.containsKey("kind")) {
            String field = prefix + "kind";
            if (!(kind instanceof String text)) {
                errors.accept(FieldError.invalid(field, kind, "must be a string"));
            } else if (text.isEmpty()) {
                errors.accept(FieldError.invalid(field, text, "must not be empty"));
            } else {
                List<String> wrong = Names.label1035(text.toLowerCase(Locale.ROOT));
                if (!wrong.isEmpty()) {
                    errors.accept(FieldError.invalid(
                            field,
                            text,
                            "may have mixed case, but should otherwise match: " + String.join(",", wrong)));
                }
            }
        }
        if (object.get("metadata") instanceof JsonObject metadata) {
            MetadataRules.validateEmbedded(metadata, prefix + "metadata", errors);
        }
    }
}
