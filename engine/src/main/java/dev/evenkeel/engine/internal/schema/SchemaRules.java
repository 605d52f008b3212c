package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks the schema of a definition: the allowed parts of OpenAPI, the extensions, and that defaults fit their own
 * schema. Rules are checked for their form, and compiled if there are no other errors.
 */
public final class SchemaRules {
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

    private final List<FieldError> errors = new ArrayList<>();
    private final RuleCosts costs;
    private final Function<JsonObject, String> shown;

    private SchemaRules(RuleCosts costs, Function<JsonObject, String> shown) {
        this.costs = costs;
        this.shown = shown;
    }

    /**
     * Returns the errors in the schema of whole objects.
     *
     * @param shown returns a schema as upstream's errors show it
     */
    public static List<FieldError> check(
            CrdVersions.Located schema, RuleCosts costs, Function<JsonObject, String> shown) {
        SchemaRules rules = new SchemaRules(costs, shown);
        rules.root(Field.of(schema.path(), schema.source(), rules.errors), schema.status());
        return rules.errors;
    }

    private void root(Field schema, boolean status) {
        JsonObject source = schema.object();
        if (status) {
            rootWithStatus(schema);
        }
        if (source.bool("nullable")) {
            schema.at("nullable").forbidden("nullable cannot be true at the root");
        }
        String obstacle = StructuralRules.obstacle(source);
        boolean compiles = obstacle.isEmpty();
        if (compiles) {
            int before = errors.size();
            errors.addAll(StructuralRules.check(source, schema.path()));
            if (errors.size() == before) {
                defaults(schema, true, false);
            }
            compiles = errors.size() == before;
        }
        node(schema, new Place(null, false, compiles ? RuleCosts.Place.ROOT : null), true);
        errors.addAll(costs.errors());
        if (errors.isEmpty() && !obstacle.isEmpty()) {
            schema.invalid("", obstacle);
        }
        errors.addAll(costs.total(schema.path()));
    }

    private void rootWithStatus(Field schema) {
        Field type = schema.at("type");
        boolean later = Stream.of("id", "$schema", "$ref")
                .anyMatch(key -> StructuralRules.isSet(key, schema.object().get(key)));
        if (!later && !type.text().isEmpty() && !type.text().equals("object")) {
            type.invalid("only \"object\" is allowed as the type" + IF_STATUS);
        } else if (schema.object().entrySet().stream()
                .anyMatch(e -> !AT_ROOT.contains(e.getKey()) && StructuralRules.isSet(e.getKey(), e.getValue()))) {
            schema.invalidText(
                    shown.apply(schema.object()), "only " + AT_ROOT_TEXT + " fields are allowed" + IF_STATUS);
        }
    }

    /** Checks that defaults fit their schema and its rules, and have only known fields. */
    private void defaults(Field schema, boolean root, boolean inMeta) {
        Field value = schema.at("default");
        Object given = value.value();
        boolean resource = root || RuleWalk.isResource(schema.object());
        boolean meta = inMeta && !resource;
        if (given != null) {
            checkDefault(schema.object(), root, meta, value, given);
        }
        schema.find("items").ifPresent(items -> defaults(items, false, meta));
        schema.at("properties")
                .members((name, property) ->
                        defaults(property, false, meta || (resource && Pruning.isTypeOrMeta(name))));
    }

    private void checkDefault(JsonObject source, boolean root, boolean inMeta, Field value, Object given) {
        Schema shape = StructuralSchemas.compile(source);
        // metadata keeps the fields that all metadata has
        if (!inMeta && Pruning.pruneValue(shape, Json.copy(given))) {
            value.invalid("must not have unknown fields");
        }
        int before = errors.size();
        if (root && value.isObject()) {
            EmbeddedResources.validateResource(value);
        }
        EmbeddedResources.of(shape).validate(given, value.path(), errors);
        if (errors.size() == before) {
            errors.addAll(new ValueRules(source).validate(given, value.path()));
        }
        if (errors.size() == before) {
            boolean resource = root || RuleWalk.isResource(source);
            errors.addAll(RuleWalk.checkDefault(source, resource, costs.compiler(), given, value.path()));
        }
    }

    private void node(Field schema, Place place, boolean root) {
        int before = errors.size();
        JsonObject source = schema.object();
        RuleCosts.Place rules = place.rules;
        RuleCosts.Place parts = rules == null ? null : rules.within(source);
        standard(schema, place);
        if (source.bool("uniqueItems")) {
            schema.at("uniqueItems")
                    .forbidden("uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
        }
        Field properties = schema.at("properties");
        Field additional = schema.at("additionalProperties");
        if (additional.given() && !properties.object().isEmpty() && !Boolean.TRUE.equals(additional.value())) {
            additional.forbidden("additionalProperties and properties are mutual exclusive");
        }
        if (additional.isObject()) {
            String noDefaults =
                    place.inMeta ? "inside additionalProperties applying to object metadata" : place.noDefaults;
            node(additional, new Place(noDefaults, place.inMeta, parts), false);
        }
        boolean resource = root || RuleWalk.isResource(source);
        properties.members((name, property) -> {
            boolean meta = resource && Pruning.isTypeOrMeta(name);
            String noDefaults = meta && root ? "in top-level " + name : place.noDefaults;
            node(property, new Place(noDefaults, meta || place.inMeta, parts), false);
        });
        // rules are not allowed within alternatives
        Place alternative = place.rules(null);
        schema.find("not").ifPresent(nested -> node(nested, alternative, false));
        for (String name : List.of("allOf", "oneOf", "anyOf")) {
            schema.at(name).objects().forEach(nested -> node(nested, alternative, false));
        }
        schema.at("definitions").members((name, nested) -> node(nested, alternative, false));
        Place itemPlace = place.rules(parts == null ? null : parts.items(schema));
        schema.find("items").ifPresent(items -> node(items, itemPlace, false));
        schema.at("items").objects().forEach(nested -> node(nested, alternative, false));
        schema.at("dependencies").members((name, nested) -> node(nested, alternative, false));
        extensions(schema);
        schema.at("x-kubernetes-validations").objects().forEach(rule -> rule(rule, source));
        if (rules != null && errors.size() == before) {
            costs.add(schema, resource, rules);
        }
    }

    private static void standard(Field schema, Place place) {
        Field type = schema.at("type");
        type.oneOfIfGiven("array", "boolean", "integer", "number", "object", "string");
        Field value = schema.at("default");
        if (value.given() && place.noDefaults != null) {
            value.forbidden("must not be set " + place.noDefaults);
        }
        for (String key : FORBIDDEN) {
            Field field = schema.at(key);
            if (field.given() && (MERELY_THERE.contains(key) || !StructuralRules.isZero(field.value()))) {
                field.forbidden(key + " is not supported");
            }
        }
        if (type.text().equals("null")) {
            type.forbidden("type cannot be set to null, use nullable as an alternative");
        }
        Field items = schema.at("items");
        if (!items.array().isEmpty()) {
            items.forbidden("items must be a schema object and not an array");
        }
        if (place.inMeta && RuleWalk.isResource(schema.object())) {
            schema.at("x-kubernetes-embedded-resource").forbidden("must not be used inside of resource meta");
        }
    }

    private static void extensions(Field schema) {
        Field preserve = schema.at("x-kubernetes-preserve-unknown-fields");
        if (Boolean.FALSE.equals(preserve.value())) {
            preserve.invalid("must be true or undefined");
        }
        Field mapType = schema.at("x-kubernetes-map-type");
        if (mapType.value() instanceof String) {
            typeFor("x-kubernetes-map-type", schema.at("type"), "object");
            mapType.oneOf("atomic", "granular");
        }
        Field items = schema.at("items");
        Field listType = schema.at("x-kubernetes-list-type");
        boolean set = listType.text().equals("set");
        boolean map = listType.text().equals("map");
        if (listType.value() instanceof String) {
            if (typeFor("x-kubernetes-list-type", schema.at("type"), "array") && set && items.isObject()) {
                atomicItems(items);
            }
            listType.oneOf("atomic", "set", "map");
        }
        List<String> keys = schema.object().strings("x-kubernetes-list-map-keys");
        if (!keys.isEmpty() && !map) {
            String detail = "must be map if x-kubernetes-list-map-keys is non-empty";
            if (listType.given()) {
                listType.invalid(detail);
            } else {
                listType.missing(detail);
            }
        }
        if (map) {
            listMap(schema.at("x-kubernetes-list-map-keys"), items, keys);
        }
        if (items.isObject() && (map || set)) {
            listItems(items, listType.text(), keys);
        }
    }

    private static boolean typeFor(String extension, Field type, String expected) {
        boolean fits = type.text().equals(expected);
        if (!fits) {
            type.missingOrInvalid("must be " + expected + " if " + extension + " is specified");
        }
        return fits;
    }

    /** Checks that items of a set are atomic: they are compared as one value, so they have to be owned as one value. */
    private static void atomicItems(Field items) {
        String detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
        String type = items.at("type").text();
        Field listType = items.at("x-kubernetes-list-type");
        if (type.equals("array") && listType.given() && !listType.text().equals("atomic")) {
            listType.invalid(detail);
        }
        Field mapType = items.at("x-kubernetes-map-type");
        if (type.equals("object") && !mapType.text().equals("atomic")) {
            mapType.invalid(listType.value(), detail); // as upstream
        }
    }

    private static void listMap(Field keysField, Field items, List<String> keys) {
        if (keys.isEmpty()) {
            keysField.missing("must not be empty if x-kubernetes-list-type is map");
        }
        if (!items.given()) {
            items.missing("must have a schema if x-kubernetes-list-type is map");
            return;
        }
        if (!items.isObject()) {
            items.invalid("must only have a single schema if x-kubernetes-list-type is map");
            return;
        }
        Field type = items.at("type");
        if (!type.text().equals("object")) {
            type.invalid(type.text(), "must be object if parent array's x-kubernetes-list-type is map");
            return;
        }
        Set<String> seen = new HashSet<>();
        for (String key : keys) {
            Field property = items.at("properties").entry(key);
            Field keyType = property.at("type");
            if (!property.given()) {
                keysField.invalid(keys, "entries must all be names of item properties");
            } else if (keyType.text().equals("array") || keyType.text().equals("object")) {
                // upstream shows the type of the items
                keyType.invalid("object", "must be a scalar type if parent array's x-kubernetes-list-type is map");
            }
            if (!seen.add(key)) {
                keysField.invalid(keys, "must not contain duplicate entries");
            }
        }
    }

    private static void listItems(Field items, String listType, List<String> keys) {
        if (items.object().bool("nullable")) {
            items.at("nullable").forbidden("cannot be nullable when x-kubernetes-list-type is " + listType);
        }
        if (!listType.equals("map")) {
            return;
        }
        List<String> required = items.object().strings("required");
        String so = "this property is in x-kubernetes-list-map-keys, so it ";
        for (String key : keys) {
            Field property = items.at("properties").entry(key);
            Field value = property.at("default");
            if (property.isObject() && !required.contains(key) && !value.given()) {
                value.missing(so + "must have a default or be a required property");
            }
            if (property.object().bool("nullable")) {
                property.at("nullable").forbidden(so + "cannot be nullable");
            }
        }
    }

    /** Checks the form of a rule. */
    private static void rule(Field rule, JsonObject schema) {
        String expression = rule.at("rule").text().strip();
        Field message = rule.at("message");
        if (expression.isEmpty()) {
            rule.at("rule").missing("rule is not specified");
        } else if (blank(message)) {
            message.invalid("must be non-empty if specified");
        } else if (hasBreaks(message.text().strip())) {
            message.invalid("must not contain line breaks");
        } else if (hasBreaks(expression) && message.text().isEmpty()) {
            message.missing("message must be specified if rule contains line breaks");
        }
        Field messageExpression = rule.at("messageExpression");
        if (blank(messageExpression)) {
            messageExpression.missing("messageExpression must be non-empty if specified");
        }
        Field reason = rule.at("reason");
        if (reason.value() instanceof String) {
            reason.oneOf("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");
        }
        Field fieldPath = rule.at("fieldPath");
        String path = fieldPath.text();
        if (blank(fieldPath)) {
            fieldPath.invalid("must be non-empty if specified");
        }
        if (hasBreaks(path)) {
            fieldPath.invalid("must not contain line breaks");
        }
        if (!path.isEmpty() && !FieldPaths.follow(path, schema, true).wrong().isEmpty()) {
            fieldPath.invalid("must be a valid path");
        }
    }

    private static boolean blank(Field field) {
        return !field.text().isEmpty() && field.text().isBlank();
    }

    private static boolean hasBreaks(String text) {
        return text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0;
    }
}
