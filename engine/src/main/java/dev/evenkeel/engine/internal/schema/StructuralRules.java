package dev.evenkeel.engine.internal.schema;

import com.google.re2j.PatternSyntaxException;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Re2;
import java.util.ArrayList;
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
    /** Those of which false means the same as nothing. */
    private static final Set<String> FLAGS = Set.of(
            "exclusiveMaximum",
            "exclusiveMinimum",
            "uniqueItems",
            "nullable",
            "x-kubernetes-embedded-resource",
            "x-kubernetes-int-or-string");
    /** Those of which an empty text means the same as nothing. */
    private static final Set<String> TEXTS =
            Set.of("id", "$schema", "description", "type", "format", "title", "pattern");

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

    private StructuralRules() {}

    /** Returns the reason why a schema cannot be checked as a structural one at all; empty when there is none. */
    static String obstacle(JsonObject schema) {
        for (String key : UNSUPPORTED) {
            if (key.equals("additionalItems") ? schema.get(key) != null : !isZero(schema.get(key))) {
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
    static List<FieldError> check(JsonObject source, String path) {
        List<FieldError> errors = new ArrayList<>();
        Field schema = Field.of(path, source, errors);
        invariants(schema, Level.ROOT);
        combinationsComplete(schema, schema);
        errors.sort(Comparator.comparing(FieldError::text));
        return errors;
    }

    private static void invariants(Field schema, Level level) {
        JsonObject source = schema.object();
        boolean embedded = RuleWalk.isResource(source);
        boolean preserve = source.bool("x-kubernetes-preserve-unknown-fields");
        boolean intOrString = source.bool("x-kubernetes-int-or-string");
        Field items = schema.at("items");
        if (source.string("type").equals("array") && !items.given()) {
            items.missing("must be specified");
        }
        schema.find("items").ifPresent(item -> invariants(item, Level.ITEM));
        Field properties = schema.at("properties");
        properties.members((name, property) -> invariants(property, Level.FIELD));
        Field additional = schema.at("additionalProperties");
        if (additional.given()) {
            if (level == Level.ROOT) {
                additional.forbidden("must not be used at the root");
            }
            if (additional.isObject()) {
                invariants(additional, Level.FIELD);
            }
            if (embedded) {
                additional.forbidden("must not be used if x-kubernetes-embedded-resource is set");
            }
        }
        String notBoth = "must be false if x-kubernetes-int-or-string is true";
        if (intOrString && preserve) {
            schema.at("x-kubernetes-preserve-unknown-fields").invalid(notBoth);
        }
        if (intOrString && embedded) {
            schema.at("x-kubernetes-embedded-resource").invalid(notBoth);
        }
        List<?> allOf = source.array("allOf");
        boolean first = !allOf.isEmpty() && INT_OR_STRING.equals(Json.at(allOf.getFirst(), "anyOf"));
        combinations(schema, INT_OR_STRING.equals(source.get("anyOf")), first);
        type(schema.at("type"), level, embedded, preserve || intOrString);
        if (level == Level.ROOT || embedded) {
            resource(properties, level);
        }
        if (embedded && !preserve && properties.object().isEmpty()) {
            properties.missing("must not be empty if x-kubernetes-embedded-resource is true without "
                    + "x-kubernetes-preserve-unknown-fields");
        }
    }

    private static void type(Field type, Level level, boolean embedded, boolean optional) {
        boolean object = type.text().equals("object");
        if (embedded && !object) {
            type.missingOrInvalid("must be object if x-kubernetes-embedded-resource is true");
        } else if (!optional) {
            type.require(level.typeRequired);
        }
        if (level == Level.ROOT && !type.text().isEmpty() && !object) {
            type.invalid("must be object at the root");
        }
    }

    /** Checks that type and metadata of a resource are narrowed at most, not changed. */
    private static void resource(Field properties, Level level) {
        for (String name : List.of("kind", "apiVersion")) {
            Field property = properties.entry(name);
            if (property.given()) {
                property.at("type").mustBe("string");
            }
        }
        Field metadata = properties.entry("metadata");
        if (metadata.isObject()) {
            metadata.at("type").mustBe("object");
            if (level == Level.ROOT && !isNarrowMetadata(metadata.object())) {
                metadata.forbidden("must not specify anything other than name and generateName, but metadata is "
                        + "implicitly specified");
            }
        }
    }

    private static boolean isNarrowMetadata(JsonObject metadata) {
        return metadata.entrySet().stream().allMatch(entry -> switch (entry.getKey()) {
            case "type", "default" -> true;
            case "properties" -> entry.getValue() instanceof JsonObject map && METADATA_KEYS.containsAll(map.keySet());
            case "enum", "allOf", "anyOf", "oneOf" -> isZero(entry.getValue());
            default -> !isSet(entry.getKey(), entry.getValue());
        });
    }

    private static void combinations(Field schema, boolean skipAnyOf, boolean skipFirstAllOf) {
        if (!skipAnyOf) {
            schema.at("anyOf").objects().forEach(nested -> nested(nested, false));
        }
        List<Field> allOf = schema.at("allOf").items();
        for (int i = 0; i < allOf.size(); i++) {
            if (allOf.get(i).isObject()) {
                nested(allOf.get(i), skipFirstAllOf && i == 0);
            }
        }
        schema.at("oneOf").objects().forEach(nested -> nested(nested, false));
        schema.find("not").ifPresent(nested -> nested(nested, false));
        Field pattern = schema.at("pattern");
        try {
            Re2.compile(pattern.text());
        } catch (PatternSyntaxException e) {
            pattern.invalid("must be a valid regular expression, but isn't: " + e.getMessage());
        }
    }

    private static void nested(Field schema, boolean skipAnyOf) {
        combinations(schema, skipAnyOf, false);
        schema.find("items").ifPresent(items -> nested(items, false));
        Field properties = schema.at("properties");
        properties.members((name, property) -> nested(property, false));
        if (!schema.at("type").text().isEmpty()) {
            schema.at("type").forbidden("must be empty to be structural");
        }
        Field additional = schema.at("additionalProperties");
        if (additional.given() && !Boolean.FALSE.equals(additional.value())) {
            additional.forbidden("must be undefined to be structural");
        }
        if (schema.at("default").given()) {
            schema.at("default").forbidden("must be undefined to be structural");
        }
        forbid(schema, NESTED_TEXT, "must be empty to be structural");
        forbid(schema, NESTED_FLAGS, "must be false to be structural");
        forbid(schema, NESTED_OTHER, "must be undefined to be structural");
        if (properties.object().containsKey("metadata")) {
            properties.entry("metadata").forbidden("must not be specified in a nested context");
        }
    }

    private static void forbid(Field schema, List<String> keys, String detail) {
        for (String key : keys) {
            if (!isZero(schema.object().get(key))) {
                schema.at(key).forbidden(detail);
            }
        }
    }

    /** Checks that everything that a combination limits is also specified outside of it. */
    private static void combinationsComplete(Field limits, Field schema) {
        limits.find("not").ifPresent(nested -> complete(nested, schema));
        for (String name : List.of("allOf", "anyOf", "oneOf")) {
            limits.at(name).objects().forEach(nested -> complete(nested, schema));
        }
    }

    private static void complete(Field limits, Field schema) {
        combinationsComplete(limits, schema);
        limits.find("items").ifPresent(items -> completePart(items, schema.at("items")));
        Field limited = limits.at("properties");
        Field known = schema.at("properties");
        limited.object().keySet().forEach(name -> completePart(limited.entry(name), known.entry(name)));
    }

    private static void completePart(Field limits, Field schema) {
        if (!schema.isObject()) {
            schema.missing("because it is defined in " + limits.path());
        } else if (limits.isObject()) {
            complete(limits, schema);
        }
    }

    /** Returns true if a key of a schema has a value, which may be an empty list or map. */
    static boolean isSet(String key, @Nullable Object value) {
        boolean nothing = value == null
                || (FLAGS.contains(key) && value.equals(false))
                || (TEXTS.contains(key) && value.equals(""));
        return !nothing;
    }

    /** Returns true for values that Go omits as unset. */
    static boolean isZero(@Nullable Object value) {
        return Boolean.FALSE.equals(value) || Json.isEmpty(value);
    }
}
