package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks the schema of a definition: the allowed parts of OpenAPI, the extensions, and that defaults fit their own
 * schema. Rules are checked for their form, and compiled if there are no other errors.
 */
public final class SchemaRules {
    private static final List<String> TYPES = List.of("array", "boolean", "integer", "number", "object", "string");
    private static final List<String> LIST_TYPES = List.of("atomic", "set", "map");
    private static final List<String> MAP_TYPES = List.of("atomic", "granular");
    private static final List<String> REASONS =
            List.of("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");
    private static final List<String> FORBIDDEN =
            List.of("id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref");
    /** Those that may not even be empty. */
    private static final Set<String> MERELY_THERE = Set.of("dependencies", "$ref", "additionalItems");

    private static final Set<String> AT_ROOT = Set.of(("description type format title maximum exclusiveMaximum minimum "
                    + "exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems multipleOf required "
                    + "items properties externalDocs example x-kubernetes-preserve-unknown-fields "
                    + "x-kubernetes-validations")
            .split(" ", -1));
    private static final String AT_ROOT_TEXT = "[Description Type Format Title Maximum ExclusiveMaximum Minimum "
            + "ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items "
            + "Properties ExternalDocs Example XPreserveUnknownFields XValidations]";
    private static final String IF_STATUS = " at the root of the schema if the status subresource is enabled";

    /**
     * The position of a schema.
     *
     * @param noDefaults why defaults may not be set; null when they may
     * @param inMeta whether the schema is of a resource's type or metadata
     * @param rules the position of rules; null where they are not compiled
     */
    private record Place(@Nullable String noDefaults, boolean inMeta, RuleCosts.@Nullable Place rules) {
        Place rules(RuleCosts.@Nullable Place value) {
            return new Place(noDefaults, inMeta, value);
        }
    }

    private final ErrorList errors = new ErrorList();
    private final RuleCosts costs;

    private SchemaRules(RuleCosts costs) {
        this.costs = costs;
    }

    /** Returns the errors in the schema of whole objects. */
    public static List<FieldError> check(CrdVersions.Located schema, RuleCosts costs) {
        SchemaRules rules = new SchemaRules(costs);
        rules.root(schema);
        return rules.errors;
    }

    private void root(CrdVersions.Located located) {
        JsonObject schema = located.source();
        SchemaPath path = SchemaPath.of(located.path());
        if (located.status()) {
            rootWithStatus(schema, path);
        }
        if (schema.bool("nullable")) {
            errors.forbidden(path + ".nullable", "nullable cannot be true at the root");
        }
        String obstacle = StructuralRules.obstacle(schema);
        boolean compiles = obstacle.isEmpty();
        if (compiles) {
            int before = errors.size();
            List<FieldError> structural = StructuralRules.check(schema, path);
            errors.addAll(structural);
            if (structural.isEmpty()) {
                defaults(schema, path);
            }
            compiles = errors.size() == before;
        }
        node(schema, path, new Place(null, false, compiles ? RuleCosts.Place.ROOT : null), true);
        errors.addAll(costs.errors());
        if (errors.isEmpty() && !obstacle.isEmpty()) {
            errors.invalid(path.toString(), "", obstacle);
        }
        errors.addAll(costs.total(path));
    }

    private void rootWithStatus(JsonObject schema, SchemaPath path) {
        String type = schema.string("type");
        if (!type.isEmpty() && !type.equals("object")) {
            errors.invalid(path + ".type", type, "only \"object\" is allowed as the type" + IF_STATUS);
        } else if (schema.entrySet().stream()
                .anyMatch(e -> !AT_ROOT.contains(e.getKey()) && !StructuralRules.isZero(e.getValue()))) {
            errors.invalid(path.toString(), schema, "only " + AT_ROOT_TEXT + " fields are allowed" + IF_STATUS);
        }
    }

    /** Checks that defaults fit their schema, and have only known fields. */
    private void defaults(JsonObject schema, SchemaPath path) {
        Object value = schema.get("default");
        if (value != null) {
            if (Pruning.pruneValue(StructuralSchemas.compile(schema), Json.copy(value))) {
                errors.invalid(path + ".default", value, "must not have unknown fields");
            }
            errors.addAll(new ValueRules.Compiler().compile(schema).validate(value, path + ".default"));
        }
        schema.findObject("items").ifPresent(items -> defaults(items, path.child("items")));
        SchemaSource.properties(schema, (name, property) -> defaults(property, path.property(name)));
    }

    private void node(JsonObject schema, SchemaPath path, Place place, boolean root) {
        int before = errors.size();
        RuleCosts.Place rules = place.rules;
        RuleCosts.Place parts = rules == null ? null : rules.within(schema);
        standard(schema, path, place);
        if (schema.bool("uniqueItems")) {
            errors.forbidden(
                    path + ".uniqueItems",
                    "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
        }
        Object additional = schema.get("additionalProperties");
        if (additional != null) {
            if (!schema.object("properties").isEmpty() && !Boolean.TRUE.equals(additional)) {
                errors.forbidden(
                        path + ".additionalProperties", "additionalProperties and properties are mutual exclusive");
            }
            Place inner = place.inMeta
                    ? new Place("inside additionalProperties applying to object metadata", true, parts)
                    : place.rules(parts);
            Json.object(additional).ifPresent(values -> node(values, path.child("additionalProperties"), inner, false));
        }
        boolean resource = root || RuleWalk.isResource(schema);
        SchemaSource.properties(schema, (name, property) -> {
            boolean meta = resource && Pruning.isTypeOrMeta(name);
            Place inner = meta ? new Place(root ? "in top-level " + name : place.noDefaults, true, parts) : place;
            node(property, path.property(name), inner.rules(parts), false);
        });
        // rules are not allowed within alternatives
        Place alternative = place.rules(null);
        schema.findObject("not").ifPresent(nested -> node(nested, path.child("not"), alternative, false));
        for (String name : List.of("allOf", "oneOf", "anyOf")) {
            nodes(schema, name, path, alternative);
        }
        SchemaSource.members(
                schema,
                "definitions",
                (name, nested) -> node(nested, path.child("definitions", name), alternative, false));
        RuleCosts.Place itemRules = parts == null ? null : parts.items(schema, path);
        schema.findObject("items").ifPresent(items -> node(items, path.child("items"), place.rules(itemRules), false));
        nodes(schema, "items", path, alternative);
        extensions(schema, path);
        SchemaSource.each(
                schema,
                "x-kubernetes-validations",
                (rule, i) -> rule(rule, schema, path.child("x-kubernetes-validations", i)));
        if (rules != null && errors.size() == before) {
            costs.add(schema, resource, path, rules);
        }
    }

    private void nodes(JsonObject schema, String key, SchemaPath path, Place place) {
        SchemaSource.each(schema, key, (nested, i) -> node(nested, path.child(key, i), place, false));
    }

    private void standard(JsonObject schema, SchemaPath path, Place place) {
        String type = schema.string("type");
        if (!type.isEmpty()) {
            errors.oneOf(path + ".type", type, TYPES);
        }
        if (schema.get("default") != null && place.noDefaults != null) {
            errors.forbidden(path + ".default", "must not be set " + place.noDefaults);
        }
        for (String key : FORBIDDEN) {
            boolean counts = MERELY_THERE.contains(key) || !StructuralRules.isZero(schema.get(key));
            if (counts && schema.get(key) != null) {
                errors.forbidden(path + "." + key, key + " is not supported");
            }
        }
        if (type.equals("null")) {
            errors.forbidden(path + ".type", "type cannot be set to null, use nullable as an alternative");
        }
        if (!schema.array("items").isEmpty()) {
            errors.forbidden(path + ".items", "items must be a schema object and not an array");
        }
        if (place.inMeta && RuleWalk.isResource(schema)) {
            errors.forbidden(path + ".x-kubernetes-embedded-resource", "must not be used inside of resource meta");
        }
    }

    private void extensions(JsonObject schema, SchemaPath path) {
        if (Boolean.FALSE.equals(schema.get("x-kubernetes-preserve-unknown-fields"))) {
            errors.invalid(path + ".x-kubernetes-preserve-unknown-fields", false, "must be true or undefined");
        }
        String type = schema.string("type");
        if (schema.get("x-kubernetes-map-type") instanceof String mapType) {
            typeFor("x-kubernetes-map-type", type, "object", path);
            errors.oneOf(path + ".x-kubernetes-map-type", mapType, MAP_TYPES);
        }
        JsonObject items = schema.findObject("items").orElse(null);
        String listType = schema.string("x-kubernetes-list-type");
        if (!listType.isEmpty()) {
            if (typeFor("x-kubernetes-list-type", type, "array", path) && listType.equals("set") && items != null) {
                atomicItems(items, path);
            }
            errors.oneOf(path + ".x-kubernetes-list-type", listType, LIST_TYPES);
        }
        List<String> keys = schema.strings("x-kubernetes-list-map-keys");
        if (!keys.isEmpty() && !listType.equals("map")) {
            errors.missingOrInvalid(
                    path + ".x-kubernetes-list-type",
                    listType,
                    "must be map if x-kubernetes-list-map-keys is non-empty");
        }
        if (listType.equals("map")) {
            listMap(schema, items, keys, path);
        }
        if (items != null && (listType.equals("map") || listType.equals("set"))) {
            listItems(items, listType, keys, path);
        }
    }

    /** Returns true if the type fits an extension. */
    private boolean typeFor(String extension, String type, String expected, SchemaPath path) {
        boolean fits = type.equals(expected);
        if (!fits) {
            errors.missingOrInvalid(path + ".type", type, "must be " + expected + " if " + extension + " is specified");
        }
        return fits;
    }

    /** Checks that items of a set are atomic: they are compared as one value, so they have to be owned as one value. */
    private void atomicItems(JsonObject items, SchemaPath path) {
        String detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
        Object listType = items.get("x-kubernetes-list-type");
        if (items.string("type").equals("array") && listType != null && !listType.equals("atomic")) {
            errors.invalid(path + ".items.x-kubernetes-list-type", listType, detail);
        }
        if (items.string("type").equals("object")
                && !items.string("x-kubernetes-map-type").equals("atomic")) {
            errors.invalid(path + ".items.x-kubernetes-map-type", listType, detail);
        }
    }

    private void listMap(JsonObject schema, @Nullable JsonObject items, List<String> keys, SchemaPath path) {
        String keysField = path + ".x-kubernetes-list-map-keys";
        if (keys.isEmpty()) {
            errors.required(keysField, "must not be empty if x-kubernetes-list-type is map");
        }
        if (items == null) {
            Object other = schema.get("items");
            if (other == null) {
                errors.required(path + ".items", "must have a schema if x-kubernetes-list-type is map");
            } else {
                errors.invalid(
                        path + ".items", other, "must only have a single schema if x-kubernetes-list-type is map");
            }
            return;
        }
        String type = items.string("type");
        if (!type.equals("object")) {
            errors.invalid(
                    path + ".items.type", type, "must be object if parent array's x-kubernetes-list-type is map");
            return;
        }
        Set<String> seen = new HashSet<>();
        for (String key : keys) {
            Object property = items.at("properties", key);
            String keyType = Json.string(property, "type");
            if (property == null) {
                errors.invalid(keysField, keys, "entries must all be names of item properties");
            } else if (keyType.equals("array") || keyType.equals("object")) {
                errors.invalid(
                        path.child("items").property(key) + ".type",
                        type,
                        "must be a scalar type if parent array's x-kubernetes-list-type is map");
            }
            if (!seen.add(key)) {
                errors.invalid(keysField, keys, "must not contain duplicate entries");
            }
        }
    }

    private void listItems(JsonObject items, String listType, List<String> keys, SchemaPath path) {
        if (items.bool("nullable")) {
            errors.forbidden(path + ".items.nullable", "cannot be nullable when x-kubernetes-list-type is " + listType);
        }
        if (!listType.equals("map")) {
            return;
        }
        List<String> required = items.strings("required");
        String so = "this property is in x-kubernetes-list-map-keys, so it ";
        for (String key : keys) {
            items.findObject("properties", key).ifPresent(property -> {
                SchemaPath at = path.child("items").property(key);
                if (!required.contains(key) && property.get("default") == null) {
                    errors.required(at + ".default", so + "must have a default or be a required property");
                }
                if (property.bool("nullable")) {
                    errors.forbidden(at + ".nullable", so + "cannot be nullable");
                }
            });
        }
    }

    /** Checks the form of a rule. */
    private void rule(JsonObject rule, JsonObject schema, SchemaPath path) {
        String expression = rule.string("rule").strip();
        String message = rule.string("message");
        if (expression.isEmpty()) {
            errors.required(path + ".rule", "rule is not specified");
        } else if (!message.isEmpty() && message.isBlank()) {
            errors.invalid(path + ".message", message, "must be non-empty if specified");
        } else if (hasBreaks(message.strip())) {
            errors.invalid(path + ".message", message, "must not contain line breaks");
        } else if (hasBreaks(expression) && message.isBlank()) {
            errors.required(path + ".message", "message must be specified if rule contains line breaks");
        }
        String messageExpression = rule.string("messageExpression");
        if (!messageExpression.isEmpty() && messageExpression.isBlank()) {
            errors.required(path + ".messageExpression", "messageExpression must be non-empty if specified");
        }
        if (rule.get("reason") instanceof String reason) {
            errors.oneOf(path + ".reason", reason, REASONS);
        }
        String fieldPath = rule.string("fieldPath");
        if (!fieldPath.isEmpty()) {
            String field = path + ".fieldPath";
            if (fieldPath.isBlank()) {
                errors.invalid(field, fieldPath, "must be non-empty if specified");
            }
            if (hasBreaks(fieldPath)) {
                errors.invalid(field, fieldPath, "must not contain line breaks");
            }
            if (!FieldPaths.follow(fieldPath, schema, true).wrong().isEmpty()) {
                errors.invalid(field, fieldPath, "must be a valid path");
            }
        }
    }

    private static boolean hasBreaks(String text) {
        return text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0;
    }
}
