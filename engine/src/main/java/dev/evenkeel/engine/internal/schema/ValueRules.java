package dev.evenkeel.engine.internal.schema;

import com.google.re2j.PatternSyntaxException;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Re2;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The limits that a schema puts on a value, compiled once: types, ranges, lengths, patterns, formats, enumerations,
 * required fields, and combinations of these.
 *
 * <p>A value is checked against every limit, not only up to the first that fails. The order of errors is upstream's:
 * type, combinations, text, format, number, items, enumeration, fields. Of a failed {@code anyOf} or {@code oneOf} only
 * the errors of the alternative with the most checks passed are shown; hence every check counts its successes.
 *
 * <p>On an update, errors of unchanged values are not reported (ratcheting): they are dropped at the smallest part of
 * the object that has a counterpart in the old object and equals it. Items have a counterpart only in lists of type
 * map.
 *
 * <p>Costs: time linear in the value, no memory but for errors. When there are errors, the value is checked again, then
 * field by field in the order of their names, so that errors come in one order whatever the order of the value.
 * Patterns are RE2, hence linear in the text, and compiled when they are used.
 */
final class ValueRules {
    /** Represents an absent old value; equal to no value. */
    private static final Object UNRELATED = new Object();

    private final boolean integer;
    private final boolean number;
    private final boolean intOrString;
    /** The types as messages name them; empty when any type is allowed. */
    private final String types;

    private final boolean nullable;
    private final String format;
    private final @Nullable Predicate<String> formatCheck;
    private final List<?> enumeration;
    private final NumberLimits numbers;
    private final long minLength;
    private final long maxLength;
    private final String pattern;
    private final @Nullable ValueRules items;
    private final long minItems;
    private final long maxItems;
    private final List<String> listKeys;
    private final String[] names;
    private final ValueRules[] fields;
    private final Map<String, ValueRules> byName;
    private final @Nullable ValueRules additional;
    private final boolean closed;
    private final List<String> required;
    private final long minProperties;
    private final long maxProperties;
    private final List<ValueRules> allOf;
    private final List<ValueRules> anyOf;
    private final List<ValueRules> oneOf;
    private final @Nullable ValueRules not;

    ValueRules(JsonObject source) {
        intOrString = source.bool("x-kubernetes-int-or-string");
        String type = intOrString ? "" : source.string("type");
        types = intOrString ? "integer,string" : type;
        integer = intOrString || type.equals("integer");
        number = type.equals("number");
        nullable = source.bool("nullable");
        String declared = source.string("format");
        format = Formats.isKnown(type, declared) ? declared : "";
        formatCheck = Formats.ofText(format);
        enumeration = source.get("enum") instanceof List<?> list ? list : List.of();
        numbers = NumberLimits.of(source, type, format);
        minLength = limit(source, "minLength", -1);
        maxLength = limit(source, "maxLength", Long.MAX_VALUE);
        pattern = source.string("pattern");
        items = source.get("items") instanceof JsonObject map ? new ValueRules(map) : null;
        minItems = limit(source, "minItems", -1);
        maxItems = limit(source, "maxItems", Long.MAX_VALUE);
        listKeys = source.string("x-kubernetes-list-type").equals("map")
                ? source.strings("x-kubernetes-list-map-keys")
                : List.of();
        Map<String, ValueRules> properties = new TreeMap<>();
        SchemaSource.properties(source, (name, property) -> properties.put(name, new ValueRules(property)));
        names = properties.keySet().toArray(String[]::new);
        fields = properties.values().toArray(ValueRules[]::new);
        Object rest = source.get("additionalProperties");
        additional = rest instanceof JsonObject map ? new ValueRules(map) : null;
        closed = Boolean.FALSE.equals(rest);
        byName = properties.isEmpty() ? Map.of() : new HashMap<>(properties);
        required = source.strings("required");
        minProperties = limit(source, "minProperties", -1);
        maxProperties = limit(source, "maxProperties", Long.MAX_VALUE);
        allOf = alternatives(source, "allOf");
        anyOf = alternatives(source, "anyOf");
        oneOf = alternatives(source, "oneOf");
        not = source.get("not") instanceof JsonObject map ? new ValueRules(map) : null;
    }

    private static long limit(JsonObject source, String key, long otherwise) {
        return source.get(key) instanceof Number number ? number.longValue() : otherwise;
    }

    private boolean matches(String text) {
        try {
            return Re2.compile(pattern).matcher(text).find();
        } catch (PatternSyntaxException e) {
            return true; // refused when the definition is written
        }
    }

    private static List<ValueRules> alternatives(JsonObject source, String key) {
        List<ValueRules> result = new ArrayList<>(0);
        SchemaSource.each(source, key, (alternative, i) -> result.add(new ValueRules(alternative)));
        return List.copyOf(result);
    }

    /** Returns the rules for one field of an object; null when there are none. */
    @Nullable
    ValueRules field(String name) {
        return byName.get(name);
    }

    /**
     * Checks a new value.
     *
     * @param prefix the path of the value, such as {@code status}; messages name fields from there, causes from the
     *     root
     */
    List<FieldError> validate(@Nullable Object value, String prefix) {
        return validateUpdate(value, UNRELATED, prefix);
    }

    /** Checks a value that is to replace another. */
    List<FieldError> validateUpdate(@Nullable Object value, @Nullable Object old, String prefix) {
        Validation run = new Validation(prefix, false);
        related(value, old, run);
        if (run.count() > 0) {
            run = new Validation(prefix, true);
            related(value, old, run);
        }
        return run.errors();
    }

    /** Checks a value with a counterpart: an unchanged value is valid. */
    private int related(@Nullable Object value, @Nullable Object old, Validation run) {
        int before = run.count();
        int passed = check(value, old, run);
        if (run.count() > before && Objects.equals(value, old)) {
            run.cut(before);
        }
        return passed;
    }

    /** Checks a value against all limits; returns how many checks passed, as upstream counts them. */
    private int check(@Nullable Object value, @Nullable Object old, Validation run) {
        if (value == null) {
            boolean fits = types.isEmpty() || nullable;
            if (!fits) {
                run.type(types, "null");
            }
            checkEnumeration(null, run);
            return fits ? 1 : 0;
        }
        int passed = 1;
        if (!types.isEmpty() || !format.isEmpty()) {
            passed += 1 + checkType(value, run);
        }
        passed += 1 + combinations(value, old, run);
        switch (value) {
            case String text -> {
                passed++;
                checkText(text, run);
                if (formatCheck != null) {
                    passed++;
                    if (!formatCheck.test(text)) {
                        run.type(format, text);
                    }
                }
            }
            case Number any -> {
                passed += 2;
                numbers.validate(any, run);
            }
            case List<?> list -> passed += 2 + checkItems(list, old, run);
            default -> {}
        }
        passed++;
        checkEnumeration(value, run);
        if (value instanceof JsonObject) {
            passed += 1 + checkFields(Json.asObject(value), old, run);
        }
        return passed;
    }

    private int checkType(Object value, Validation run) {
        boolean fits = types.equals(typeOf(value))
                || switch (value) {
                    case String unused -> intOrString;
                    case Long unused -> integer || number;
                    case Double any -> integer && NumberLimits.isWhole(any);
                    default -> false;
                };
        if (fits) {
            return 1;
        }
        boolean text = value instanceof String || value instanceof List<?>;
        if (!format.isEmpty()) {
            if (!text) {
                run.type(format, value instanceof Long ? "int64" : value instanceof Double ? "float64" : "");
                return 0;
            }
            if (!integer && !number) {
                return 1;
            }
        }
        if (types.isEmpty() && !format.isEmpty() && text) {
            return 1;
        }
        run.type(types, typeOf(value));
        return 0;
    }

    private static String typeOf(Object value) {
        return switch (value) {
            case String unused -> "string";
            case Boolean unused -> "boolean";
            case Long unused -> "integer";
            case Double unused -> "number";
            case JsonObject unused -> "object";
            default -> "array";
        };
    }

    private int combinations(Object value, @Nullable Object old, Validation run) {
        int passed = 1;
        if (!anyOf.isEmpty()) {
            passed += alternatives(anyOf, false, value, old, run);
        }
        if (!oneOf.isEmpty()) {
            passed += alternatives(oneOf, true, value, old, run);
        }
        if (!allOf.isEmpty()) {
            passed += allOf(value, old, run);
        }
        if (not != null) {
            int before = run.count();
            not.check(value, old, run);
            if (run.count() > before) {
                run.cut(before);
            } else {
                run.general("\"" + run.trail.dotted() + "\" must not validate the schema (not)");
            }
        }
        return passed;
    }

    private static int alternatives(
            List<ValueRules> alternatives, boolean one, Object value, @Nullable Object old, Validation run) {
        int before = run.count();
        List<FieldError> best = List.of();
        int most = 0;
        int valid = 0;
        int first = 0;
        for (ValueRules alternative : alternatives) {
            int passed = alternative.check(value, old, run);
            if (run.count() == before) {
                if (!one) {
                    return passed;
                }
                first = valid++ == 0 ? passed : first;
                best = List.of();
                most = 0;
            } else {
                List<FieldError> failures = run.cut(before);
                if (valid == 0 && (best.isEmpty() || passed > most)) {
                    most = passed;
                    best = failures;
                }
            }
        }
        if (valid == 1) {
            return first;
        }
        String wrong = !one
                ? "at least one schema (anyOf)"
                : "one and only one schema (oneOf). Found "
                        + (valid == 0 ? "none valid" : valid + " valid alternatives");
        run.general("\"" + run.trail.dotted() + "\" must validate " + wrong);
        run.addAll(best);
        return most;
    }

    private int allOf(Object value, @Nullable Object old, Validation run) {
        int passed = 0;
        int valid = 0;
        for (ValueRules part : allOf) {
            int before = run.count();
            passed += part.check(value, old, run);
            valid += run.count() == before ? 1 : 0;
        }
        if (valid != allOf.size()) {
            run.general("\"" + run.trail.dotted() + "\" must validate all the schemas (allOf)"
                    + (valid == 0 ? ". None validated" : ""));
        }
        return passed;
    }

    private void checkText(String text, Validation run) {
        if (maxLength != Long.MAX_VALUE || minLength > 0) {
            // a text has at most as many code points as chars: count only when it matters
            int length = text.length();
            if (length > maxLength || length < 2 * minLength) {
                length = text.codePointCount(0, length);
            }
            if (length > maxLength) {
                run.tooLong(maxLength);
                return;
            }
            if (length < minLength) {
                run.invalid(text, "should be at least " + minLength + " chars long");
                return;
            }
        }
        if (!pattern.isEmpty() && !matches(text)) {
            run.invalid(text, "should match '" + pattern + "'");
        }
    }

    private int checkItems(List<?> list, @Nullable Object old, Validation run) {
        int passed = 0;
        int size = list.size();
        if (items != null) {
            List<?> oldItems = !listKeys.isEmpty() && old instanceof List<?> known ? known : List.of();
            for (int i = 0; i < size; i++) {
                Object item = list.get(i);
                run.trail.index(i);
                passed += items.related(item, oldItems.isEmpty() ? UNRELATED : counterpart(item, oldItems), run);
                run.trail.pop();
            }
        }
        if (size < minItems) {
            run.invalid((long) size, "should have at least " + minItems + " items");
        }
        if (size > maxItems) {
            run.tooMany(size, maxItems);
        }
        return passed;
    }

    private Object counterpart(@Nullable Object item, List<?> oldItems) {
        for (Object old : oldItems) {
            if (old instanceof JsonObject && item instanceof JsonObject && sameKeys(item, old)) {
                return old;
            }
        }
        return UNRELATED;
    }

    private boolean sameKeys(Object item, Object old) {
        for (String key : listKeys) {
            if (!Objects.equals(Json.at(item, key), Json.at(old, key))) {
                return false;
            }
        }
        return true;
    }

    private void checkEnumeration(@Nullable Object value, Validation run) {
        if (enumeration.isEmpty()) {
            return;
        }
        for (Object allowed : enumeration) {
            if (value != null && (value.equals(allowed) || sameNumber(value, allowed))) {
                return;
            }
        }
        run.notSupported(
                value,
                enumeration.stream()
                        .map(allowed -> allowed instanceof String text ? text : Json.text(allowed))
                        .toList());
    }

    private static boolean sameNumber(Object a, @Nullable Object b) {
        return a instanceof Number left && b instanceof Number right && left.doubleValue() == right.doubleValue();
    }

    private int checkFields(JsonObject value, @Nullable Object old, Validation run) {
        int passed = 0;
        int size = value.size();
        if (size < minProperties) {
            run.invalid((long) size, "should have at least " + minProperties + " properties");
        }
        if (size > maxProperties) {
            run.tooMany(size, maxProperties);
        }
        JsonObject oldFields = old instanceof JsonObject map ? map : new JsonObject();
        if (additional != null || closed) {
            passed += checkAdditional(value, oldFields, run);
        }
        if (run.ordered || names.length <= size) {
            for (int i = 0; i < names.length; i++) {
                Object field = value.get(names[i]);
                if (field != null || value.containsKey(names[i])) {
                    passed += checkField(names[i], fields[i], field, oldFields, run);
                }
            }
        } else {
            for (Map.Entry<String, @Nullable Object> entry : value.entrySet()) {
                ValueRules field = byName.get(entry.getKey());
                if (field != null) {
                    passed += checkField(entry.getKey(), field, entry.getValue(), oldFields, run);
                }
            }
        }
        for (String name : required) {
            if (!value.containsKey(name)) {
                run.required(name);
            }
        }
        return passed;
    }

    private static int checkField(
            String name, ValueRules rules, @Nullable Object value, JsonObject oldFields, Validation run) {
        run.trail.field(name);
        int passed = rules.related(value, counterpart(oldFields, name), run);
        run.trail.pop();
        return passed;
    }

    private int checkAdditional(JsonObject value, JsonObject oldFields, Validation run) {
        int passed = 0;
        for (Map.Entry<String, @Nullable Object> entry : value.entrySet()) {
            String name = entry.getKey();
            if (byName.containsKey(name)) {
                continue;
            }
            if (additional != null) {
                run.trail.key(name);
                passed += additional.related(entry.getValue(), counterpart(oldFields, name), run);
                run.trail.pop();
            } else {
                run.forbidden(name);
            }
        }
        return passed;
    }

    private static @Nullable Object counterpart(JsonObject oldFields, String name) {
        Object old = oldFields.get(name);
        return old != null || oldFields.containsKey(name) ? old : UNRELATED;
    }
}
