package dev.evenkeel.engine.internal.schema;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a schema is structural: the shape of every value follows from it without considering combinations ({@code
 * allOf} and the like), which only limit values whose shape is known already.
 */
final class StructuralRules {
    private static final List<Map<String, String>> INT_OR_STRING =
            List.of(Map.of("type", "integer"), Map.of("type", "string"));
    private static final Set<String> METADATA_KEYS = Set.of("name", "generateName");
    private static final List<String> UNSUPPORTED =
            List.of("id", "$schema", "$ref", "patternProperties", "dependencies", "additionalItems", "definitions");
    private static final List<String> NESTED_TEXT =
            List.of("title", "description", "x-kubernetes-list-map-keys", "x-kubernetes-validations");
    private static final List<String> NESTED_FLAGS = List.of(
            "nullable",
            "x-kubernetes-preserve-unknown-fields",
            "x-kubernetes-embedded-resource",
            "x-kubernetes-int-or-string");
    private static final List<String> NESTED_OTHER = List.of("x-kubernetes-list-type", "x-kubernetes-map-type");

    private enum Level {
        ROOT("must not be empty at the root"),
        ITEM("must not be empty for specified array items"),
        FIELD("must not be empty for specified object fields");

        private final String typeRequired;

        Level(String typeRequired) {
            this.typeRequired = typeRequired;
        }
    }

    private final ErrorList errors = new ErrorList();

    private StructuralRules() {}

    /** Returns the reason why a schema cannot be checked as a structural one at all; empty when there is none. */
    static String obstacle(JsonObject schema) {
        for (String key : UNSUPPORTED) {
            if (!isZero(schema.get(key))) {
                return "OpenAPIV3Schema '" + (key.equals("$schema") ? "schema" : key) + "' is not supported";
            }
        }
        if (Boolean.FALSE.equals(schema.get("x-kubernetes-preserve-unknown-fields"))) {
            return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
        }
        if (schema.get("items") instanceof List<?>) {
            return "OpenAPIV3Schema 'items' must be a schema, but is an array";
        }
        String[] found = {""};
        SchemaSource.children(schema, (path, child) -> found[0] = found[0].isEmpty() ? obstacle(child) : found[0]);
        return found[0];
    }

    /** Returns the errors of a schema, sorted by text as upstream does. */
    static List<FieldError> check(JsonObject schema, SchemaPath path) {
        StructuralRules rules = new StructuralRules();
        rules.invariants(schema, Level.ROOT, path);
        rules.combinationsComplete(schema, schema, path, path);
        rules.errors.sort(Comparator.comparing(FieldError::text));
        return rules.errors;
    }

    private void invariants(JsonObject schema, Level level, SchemaPath path) {
        String type = schema.string("type");
        boolean embedded = RuleWalk.isResource(schema);
        boolean preserve = schema.bool("x-kubernetes-preserve-unknown-fields");
        boolean intOrString = schema.bool("x-kubernetes-int-or-string");
        if (type.equals("array") && schema.get("items") == null) {
            errors.required(path + ".items", "must be specified");
        }
        schema.findObject("items").ifPresent(items -> invariants(items, Level.ITEM, path.child("items")));
        SchemaSource.properties(schema, (name, property) -> invariants(property, Level.FIELD, path.property(name)));
        Object additional = schema.get("additionalProperties");
        if (additional != null) {
            String field = path + ".additionalProperties";
            if (level == Level.ROOT) {
                errors.forbidden(field, "must not be used at the root");
            }
            Json.object(additional)
                    .ifPresent(values -> invariants(values, Level.FIELD, path.child("additionalProperties")));
            if (embedded) {
                errors.forbidden(field, "must not be used if x-kubernetes-embedded-resource is set");
            }
        }
        String notBoth = "must be false if x-kubernetes-int-or-string is true";
        if (intOrString && preserve) {
            errors.invalid(path + ".x-kubernetes-preserve-unknown-fields", true, notBoth);
        }
        if (intOrString && embedded) {
            errors.invalid(path + ".x-kubernetes-embedded-resource", true, notBoth);
        }
        JsonObject properties = schema.object("properties");
        combinations(schema, isIntOrString(schema.get("anyOf")), isIntOrStringAllOf(schema), path);
        type(type, level, embedded, preserve || intOrString, path);
        resource(properties, embedded, level, path);
        if (embedded && !preserve && properties.isEmpty()) {
            errors.required(
                    path + ".properties",
                    "must not be empty if x-kubernetes-embedded-resource is true without "
                            + "x-kubernetes-preserve-unknown-fields");
        }
    }

    private void type(String type, Level level, boolean embedded, boolean optional, SchemaPath path) {
        if (embedded && !type.equals("object")) {
            errors.missingOrInvalid(path + ".type", type, "must be object if x-kubernetes-embedded-resource is true");
        } else if (type.isEmpty() && !optional) {
            errors.required(path + ".type", level.typeRequired);
        }
        if (level == Level.ROOT && !type.isEmpty() && !type.equals("object")) {
            errors.invalid(path + ".type", type, "must be object at the root");
        }
    }

    /** Checks that type and metadata of a resource are narrowed at most, not changed. */
    private void resource(JsonObject properties, boolean embedded, Level level, SchemaPath path) {
        if (level != Level.ROOT && !embedded) {
            return;
        }
        for (String name : List.of("kind", "apiVersion")) {
            Object property = properties.get(name);
            String type = Json.string(property, "type");
            if (property != null && !type.equals("string")) {
                errors.invalid(path.property(name) + ".type", type, "must be string");
            }
        }
        properties.findObject("metadata").ifPresent(metadata -> {
            SchemaPath at = path.property("metadata");
            if (!metadata.string("type").equals("object")) {
                errors.invalid(at + ".type", metadata.string("type"), "must be object");
            }
            if (level == Level.ROOT && !isNarrowMetadata(metadata)) {
                errors.forbidden(
                        at.toString(),
                        "must not specify anything other than name and generateName, but metadata is implicitly "
                                + "specified");
            }
        });
    }

    private static boolean isNarrowMetadata(JsonObject metadata) {
        return metadata.entrySet().stream().allMatch(entry -> switch (entry.getKey()) {
            case "type", "default" -> true;
            case "properties" -> entry.getValue() instanceof JsonObject map && METADATA_KEYS.containsAll(map.keySet());
            default -> isZero(entry.getValue());
        });
    }

    private void combinations(JsonObject schema, boolean skipAnyOf, boolean skipFirstAllOf, SchemaPath path) {
        if (!skipAnyOf) {
            SchemaSource.each(schema, "anyOf", (nested, i) -> nested(nested, false, path.child("anyOf", i)));
        }
        SchemaSource.each(
                schema, "allOf", (nested, i) -> nested(nested, skipFirstAllOf && i == 0, path.child("allOf", i)));
        SchemaSource.each(schema, "oneOf", (nested, i) -> nested(nested, false, path.child("oneOf", i)));
        schema.findObject("not").ifPresent(nested -> nested(nested, false, path.child("not")));
        String pattern = schema.string("pattern");
        if (!pattern.isEmpty()) {
            try {
                Pattern.compile(pattern);
            } catch (PatternSyntaxException e) {
                String detail = "must be a valid regular expression, but isn't: " + e.getMessage();
                errors.invalid(path + ".pattern", pattern, detail);
            }
        }
    }

    private void nested(JsonObject schema, boolean skipAnyOf, SchemaPath path) {
        combinations(schema, skipAnyOf, false, path);
        schema.findObject("items").ifPresent(items -> nested(items, false, path.child("items")));
        SchemaSource.properties(schema, (name, property) -> nested(property, false, path.property(name)));
        if (!schema.string("type").isEmpty()) {
            errors.forbidden(path + ".type", "must be empty to be structural");
        }
        Object additional = schema.get("additionalProperties");
        if (additional != null && !Boolean.FALSE.equals(additional)) {
            errors.forbidden(path + ".additionalProperties", "must be undefined to be structural");
        }
        if (schema.get("default") != null) {
            errors.forbidden(path + ".default", "must be undefined to be structural");
        }
        forbid(schema, NESTED_TEXT, "must be empty to be structural", path);
        forbid(schema, NESTED_FLAGS, "must be false to be structural", path);
        forbid(schema, NESTED_OTHER, "must be undefined to be structural", path);
        if (schema.object("properties").containsKey("metadata")) {
            errors.forbidden(path.property("metadata").toString(), "must not be specified in a nested context");
        }
    }

    private void forbid(JsonObject schema, List<String> keys, String detail, SchemaPath path) {
        for (String key : keys) {
            if (!isZero(schema.get(key))) {
                errors.forbidden(path + "." + key, detail);
            }
        }
    }

    /** Checks that everything that a combination limits is also specified outside of it. */
    private void combinationsComplete(JsonObject limits, JsonObject schema, SchemaPath path, SchemaPath limitsPath) {
        limits.findObject("not").ifPresent(nested -> complete(nested, schema, path, limitsPath.child("not")));
        for (String name : List.of("allOf", "anyOf", "oneOf")) {
            SchemaSource.each(limits, name, (nested, i) -> complete(nested, schema, path, limitsPath.child(name, i)));
        }
    }

    private void complete(JsonObject limits, JsonObject schema, SchemaPath path, SchemaPath limitsPath) {
        combinationsComplete(limits, schema, path, limitsPath);
        limits.findObject("items").ifPresent(items -> {
            SchemaPath at = limitsPath.child("items");
            schema.findObject("items")
                    .ifPresentOrElse(
                            known -> complete(items, known, path.child("items"), at),
                            () -> missing(path.child("items"), at));
        });
        limits.object("properties").forEach((name, value) -> {
            SchemaPath at = limitsPath.property(name);
            SchemaPath of = path.property(name);
            schema.findObject("properties", name)
                    .ifPresentOrElse(
                            known -> Json.object(value).ifPresent(nested -> complete(nested, known, of, at)),
                            () -> missing(of, at));
        });
    }

    private void missing(SchemaPath path, SchemaPath limitsPath) {
        errors.required(path.toString(), "because it is defined in " + limitsPath);
    }

    private static boolean isIntOrString(@Nullable Object anyOf) {
        return INT_OR_STRING.equals(anyOf);
    }

    private static boolean isIntOrStringAllOf(JsonObject schema) {
        return schema.get("allOf") instanceof List<?> list
                && !list.isEmpty()
                && isIntOrString(Json.at(list.getFirst(), "anyOf"));
    }

    /** Returns true for values that Go omits as unset. */
    static boolean isZero(@Nullable Object value) {
        return switch (value) {
            case null -> true;
            case String text -> text.isEmpty();
            case Boolean flag -> !flag;
            case JsonObject map -> map.isEmpty();
            case List<?> list -> list.isEmpty();
            default -> false;
        };
    }
}
