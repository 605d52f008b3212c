package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.SentEmpty;
import dev.evenkeel.engine.internal.schema.MalformedObjectException;
import dev.evenkeel.engine.internal.syntax.GoTime;
import dev.evenkeel.engine.internal.syntax.Quantity;
import dev.evenkeel.engine.internal.syntax.Rfc3339;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads trees as values of built-in types and leaves them as a Kubernetes server would answer them.
 *
 * <p>Problem: upstream decodes a body into Go structs and encodes those again, and much of the visible behaviour of its
 * API is that round trip: unknown fields vanish, {@code null} and empty values vanish unless the field is one that is
 * always shown, {@code 1000m} becomes {@code 1}. Custom resources have none of that. Here the round trip is one walk
 * over the tree, in place, driven by the fact table.
 *
 * <p>Invariants: (1) afterwards the tree has known fields only, each of its type and in canonical form; (2) a field is
 * present if and only if it is set or always shown; (3) walking it again changes nothing; (4) the error, in Go's words,
 * is the first in document order of those that a type's own reader finds (a time, a quantity); only without such, the
 * first value of a wrong type; (5) unknown and duplicate fields are listed in document
 * order, and do not cause an error here.
 *
 * <p>Concurrency: a walk has its own state; facts are shared and immutable. Cost: one visit and one lookup a field;
 * copies nothing. A codec generated from classes would have to convert the engine's trees to objects and back.
 */
public final class BuiltinDecoder {
    private static final String PROPS = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";

    private static final String CORE = "io.k8s.api.core.v1.";

    /** Distinguishes keys of maps from fields in the path: Go's errors name fields only. */
    private static final String MAP_KEY = "\0";

    /** Distinguishes embedded structs in the path: only Go's errors name them. */
    private static final String EMBEDDED = "\1";

    /** The types of numbers in Go. */
    private static final Set<String> NUMBERS = Set.of("int32", "int64", "uint8", "float64");

    /** Further unknown and duplicate fields are not listed. */
    private static final int MOST_COMPLAINTS = 100;

    private final Set<String> duplicates;
    private final boolean keepsEmpty;
    private final Consumer<SentEmpty> empties;
    private final List<String> complaints = new ArrayList<>();
    private final List<String> path = new ArrayList<>();
    private @Nullable MalformedObjectException firstMismatch;
    private int silent;

    private BuiltinDecoder(Set<String> duplicates, boolean keepsEmpty, Consumer<SentEmpty> empties) {
        this.duplicates = duplicates;
        this.keepsEmpty = keepsEmpty;
        this.empties = empties;
    }

    /**
     * Normalises a tree in place.
     *
     * @param tree a whole object or a part, as parsed; changed
     * @param definition definition name of its type: {@code Schema.reference()}
     * @return {@code unknown field "spec.foo"} for each field that was dropped because the type does not have it
     * @throws MalformedObjectException when a value has the wrong type; its message is Go's, without the sentence around it
     */
    public static List<String> normalize(JsonObject tree, String definition) {
        return normalize(tree, definition, Set.of());
    }

    /**
     * Normalises a tree in place.
     *
     * @param duplicates paths of keys that occurred more than once, as reported by the parser; they are listed as
     *     {@code duplicate field "data.a"} after the unknown ones of the same object
     */
    public static List<String> normalize(JsonObject tree, String definition, Set<String> duplicates) {
        return normalize(tree, definition, duplicates, false, empty -> {});
    }

    /**
     * Normalises a tree that was sent: an empty list of a field that is always shown stays, since its sender owns it;
     * {@link #normalize(JsonObject, String)} removes it.
     *
     * @param empties receives the lists and maps that were sent without elements
     */
    public static List<String> normalizeSent(
            JsonObject tree, String definition, Set<String> duplicates, Consumer<SentEmpty> empties) {
        return normalize(tree, definition, duplicates, true, empties);
    }

    private static List<String> normalize(
            JsonObject tree,
            String definition,
            Set<String> duplicates,
            boolean keepsEmpty,
            Consumer<SentEmpty> empties) {
        BuiltinDecoder decoder = new BuiltinDecoder(duplicates, keepsEmpty, empties);
        try {
            decoder.struct(tree, FactTable.INSTANCE.type(definition));
        } catch (MalformedObjectException e) {
            // conversions end with the first error of any kind
            MalformedObjectException first = decoder.firstMismatch;
            throw first == null
                    ? e
                    : new MalformedObjectException(String.valueOf(e.getMessage()), first.ofConversion(), e.number());
        }
        decoder.throwMismatch();
        return decoder.complaints;
    }

    private void throwMismatch() {
        if (firstMismatch != null) {
            throw firstMismatch;
        }
    }

    /** Returns whether a tree has an empty list. */
    public static boolean hasEmptyList(@Nullable Object tree) {
        return switch (tree) {
            case JsonObject map -> map.anyValue(BuiltinDecoder::hasEmptyList);
            case List<?> list -> list.isEmpty() || hasEmptyListIn(list);
            case null, default -> false;
        };
    }

    private static boolean hasEmptyListIn(List<?> list) {
        for (Object item : list) {
            if (hasEmptyList(item)) {
                return true;
            }
        }
        return false;
    }

    /** Removes a field of an object, except the parts that are always shown. */
    public static void clear(JsonObject tree, String definition, String name) {
        FieldFacts field = FactTable.INSTANCE.type(definition).fields().get(name);
        if (field != null && field.emitted()) {
            tree.put(name, Json.copy(zero(field)));
        } else {
            tree.remove(name);
        }
    }

    private void struct(JsonObject tree, TypeFacts type) {
        Map<String, FieldFacts> fields = type.fields();
        // a repeated key is reported where it is repeated, which is mostly the end
        List<String> repeated = duplicates.isEmpty()
                ? List.of()
                : tree.keySet().stream().filter(fields::containsKey).toList();
        for (Iterator<Map.Entry<String, @Nullable Object>> entries =
                        tree.entrySet().iterator();
                entries.hasNext(); ) {
            Map.Entry<String, @Nullable Object> entry = entries.next();
            String name = entry.getKey();
            FieldFacts field = fields.get(name);
            if (field == null) {
                complain("unknown field", name);
                entries.remove();
                continue;
            }
            Object value = entry.getValue();
            if (value == null) {
                entries.remove();
                continue;
            }
            boolean embedded = EmbeddedStructs.isEmbedded(field);
            if (embedded) {
                path.add(EMBEDDED + EmbeddedStructs.around(field, type));
            }
            path.add(name);
            Object kept = value(value, field.value(), new Place(type, field));
            if (keepsEmpty && isCollection(field.value().form()) && Json.isEmpty(kept)) {
                empties.accept(new SentEmpty(steps(), kept instanceof List<?>));
            }
            path.removeLast();
            if (embedded) {
                path.removeLast();
            }
            // Go tells empty bytes from none, in JSON and in protobuf; empty lists only until they are stored
            boolean owned = field.emitted()
                    && field.zero() == null
                    && (field.value().form() == ValueForm.BYTES || (keepsEmpty && kept instanceof List<?>));
            if (!field.pointer() && !opaque(field.value().form()) && empty(kept) && !owned) {
                entries.remove();
            } else {
                entry.setValue(kept);
            }
        }
        for (FieldFacts field : type.emitted()) {
            if (!tree.containsKey(field.name())) {
                tree.put(field.name(), zero(field));
            }
        }
        repeated.forEach(this::complainIfDuplicate);
    }

    /** Returns the value of an unset field that is always shown. */
    private static @Nullable Object zero(FieldFacts field) {
        if (!(field.zero() instanceof JsonObject)) {
            return field.zero();
        }
        JsonObject struct = new JsonObject();
        if (!field.value().reference().isEmpty()) {
            for (FieldFacts inner :
                    FactTable.INSTANCE.type(field.value().reference()).emitted()) {
                struct.put(inner.name(), zero(inner));
            }
        }
        return struct;
    }

    private static boolean isCollection(ValueForm form) {
        return form == ValueForm.LIST || form == ValueForm.MAP;
    }

    /** Returns the path, with numbers as indexes of lists. */
    private List<Object> steps() {
        List<Object> steps = new ArrayList<>();
        for (String step : path) {
            if (step.startsWith("[")) {
                steps.add(Integer.valueOf(step.substring(1, step.length() - 1)));
            } else if (!step.startsWith(EMBEDDED)) {
                steps.add(step.startsWith(MAP_KEY) ? step.substring(MAP_KEY.length()) : step);
            }
        }
        return steps;
    }

    /** A field of a struct, which Go's errors name. */
    private record Place(TypeFacts owner, FieldFacts field) {}

    private static boolean opaque(ValueForm form) {
        return form == ValueForm.RAW || form == ValueForm.ANY || form == ValueForm.FIELDS;
    }

    private static boolean empty(@Nullable Object value) {
        return switch (value) {
            case Number number -> number.doubleValue() == 0;
            case Boolean flag -> !flag;
            case null, default -> Json.isEmpty(value);
        };
    }

    private @Nullable Object value(Object value, ValueFacts facts, Place place) {
        if (!fits(value, facts.form())) {
            return mismatch(value, facts, place);
        }
        switch (facts.form()) {
            case BYTES -> {
                return value instanceof List<?> list ? bytes(list, place) : bytes(value.toString());
            }
            case TIME -> {
                String text = timeText(value, place);
                Instant time = time(text, GoTime.RFC3339);
                return Rfc3339.isInSeconds(text) ? text : Times.seconds(time);
            }
            case MICROTIME -> {
                return Times.micros(time(timeText(value, place), GoTime.MICROS));
            }
            case QUANTITY -> {
                return quantity(value);
            }
            case INT_OR_STRING -> {
                if (!(value instanceof String) && !fits32(value)) {
                    throw unreadable(value, "int32", place);
                }
            }
            case STRUCT -> {
                return reference(value, facts, place);
            }
            case LIST -> list(Json.asArray(value), facts.elementFacts(), place);
            case MAP -> map(Json.asObject(value), facts.elementFacts(), place);
            case STRING, BOOLEAN, INT32, INT64, DOUBLE, RAW, FIELDS, ANY, EMPTY -> {}
        }
        return value;
    }

    /** Returns whether the value has the JSON type of a form; forms with errors of their own are not checked. */
    static boolean fits(Object value, ValueForm form) {
        return switch (form) {
            case STRING -> value instanceof String;
            case BYTES -> value instanceof String || value instanceof List<?>;
            case BOOLEAN -> value instanceof Boolean;
            case INT32 -> fits32(value);
            case INT64 -> value instanceof Long;
            case DOUBLE -> value instanceof Long || (value instanceof Double number && !number.isInfinite());
            case LIST -> value instanceof List<?>;
            case MAP -> value instanceof JsonObject;
            default -> true;
        };
    }

    private static boolean fits32(Object value) {
        return value instanceof Long number && number.intValue() == number;
    }

    private @Nullable Object reference(Object value, ValueFacts facts, Place place) {
        TypeFacts type = FactTable.INSTANCE.type(facts.reference());
        if (type.form() == ValueForm.STRUCT || type.form() == ValueForm.EMPTY) {
            if (!(value instanceof JsonObject)) {
                return mismatch(value, facts, place);
            }
            struct(Json.asObject(value), type);
        } else if (type.form() == ValueForm.ANY && facts.reference().startsWith(PROPS)) {
            schemas(value, facts.reference().substring(PROPS.length()), place);
        }
        return value;
    }

    /**
     * Normalises JSONSchemaPropsOr...: upstream decodes what is inside separately. Therefore unknown fields are removed
     * silently, and a value of a wrong type ends the decoding.
     */
    private void schemas(Object value, String alternative, Place place) {
        MalformedObjectException outside = firstMismatch;
        firstMismatch = null;
        silent++;
        TypeFacts props = FactTable.INSTANCE.type(PROPS);
        if (value instanceof JsonObject) {
            struct(Json.asObject(value), props);
        } else if (alternative.equals("OrBool") && !(value instanceof Boolean)) {
            throw new MalformedObjectException("boolean or JSON schema expected");
        } else if (value instanceof List<?> list) {
            boolean texts = alternative.equals("OrStringArray");
            for (Object item : list) {
                if (item instanceof JsonObject && !texts) {
                    struct(Json.asObject(item), props);
                } else if (item != null && !(texts && item instanceof String)) {
                    throw unreadable(item, texts ? "string" : "v1.JSONSchemaProps", place);
                }
            }
        }
        throwMismatch();
        silent--;
        firstMismatch = outside;
    }

    private void list(List<@Nullable Object> list, ValueFacts element, Place place) {
        for (int i = 0; i < list.size(); i++) {
            Object item = list.get(i);
            path.add("[" + i + "]");
            Object kept = item == null ? nothing(element) : value(item, element, place);
            path.removeLast();
            list.set(i, kept);
        }
    }

    private void map(JsonObject map, ValueFacts element, Place place) {
        for (Map.Entry<String, @Nullable Object> entry : map.entrySet()) {
            complainIfDuplicate(entry.getKey());
            Object item = entry.getValue();
            path.add(MAP_KEY + entry.getKey());
            Object kept = item == null ? nothing(element) : value(item, element, place);
            path.removeLast();
            entry.setValue(isAmount(element, place.owner()) ? wholeMilli(kept) : kept);
        }
    }

    private static boolean isAmount(ValueFacts value, TypeFacts owner) {
        return value.form() == ValueForm.QUANTITY && owner.name().startsWith(CORE);
    }

    /** Returns an amount of a resource: one that is finer than a thousandth is rounded up. */
    private static @Nullable Object wholeMilli(@Nullable Object amount) {
        if (amount instanceof String text && !text.isEmpty()) {
            Optional<Quantity> quantity = Quantity.read(text);
            if (quantity.isPresent()
                    && quantity.get().value().stripTrailingZeros().scale() > 3) {
                return quantity.get().roundedUp(3).text();
            }
        }
        return amount;
    }

    /** Returns the value of a null element: Go's zero value. */
    private @Nullable Object nothing(ValueFacts element) {
        return switch (element.form()) {
            case STRING, BYTES -> "";
            case INT32, INT64, DOUBLE, INT_OR_STRING -> 0L;
            case BOOLEAN -> false;
            case QUANTITY -> "0";
            case STRUCT -> {
                TypeFacts type = FactTable.INSTANCE.type(element.reference());
                if (type.form() != ValueForm.STRUCT) {
                    yield null;
                }
                JsonObject struct = new JsonObject();
                struct(struct, type);
                yield struct;
            }
            case LIST, MAP, TIME, MICROTIME, RAW, FIELDS, ANY, EMPTY -> null;
        };
    }

    private @Nullable String bytes(String text) {
        int bad = Base64Text.firstBadByte(text);
        if (bad < 0) {
            return text;
        }
        String stripped = text.replace("\n", "").replace("\r", "");
        if (stripped.length() != text.length() && Base64Text.firstBadByte(stripped) < 0) {
            return Base64.getEncoder().encodeToString(Base64.getDecoder().decode(stripped));
        }
        keep(new MalformedObjectException("illegal base64 data at input byte " + bad));
        return null;
    }

    /** Returns bytes that were sent as a list of numbers, which Go reads too. */
    private String bytes(List<?> list, Place place) {
        byte[] bytes = new byte[list.size()];
        for (int i = 0; i < bytes.length; i++) {
            Object item = list.get(i);
            if (item instanceof Long number && (number & 0xff) == number) {
                bytes[i] = number.byteValue();
            } else if (item != null) {
                path.add("[" + i + "]");
                keep(mismatch(item, "uint8", "unrecognized type: uint8", place));
                path.removeLast();
            }
        }
        return Base64.getEncoder().encodeToString(bytes);
    }

    private String timeText(Object value, Place place) {
        if (value instanceof String text) {
            return text;
        }
        throw unreadable(value, "string", place);
    }

    private static Instant time(String text, String layout) {
        try {
            return Times.parse(text, layout);
        } catch (IllegalArgumentException e) {
            throw new MalformedObjectException(String.valueOf(e.getMessage()));
        }
    }

    private static String quantity(Object value) {
        String text = switch (value) {
            case String s -> s.strip();
            case Long number -> number.toString();
            case Double number -> Json.text(number);
            default -> "?";
        };
        if (plainNumber(text)) {
            return text;
        }
        try {
            return Quantity.parse(text).text();
        } catch (IllegalArgumentException e) {
            throw new MalformedObjectException(String.valueOf(e.getMessage()));
        }
    }

    /** A number below 1000 without sign or leading zero is already canonical; the common case. */
    private static boolean plainNumber(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return text.length() == 1 || (!text.isEmpty() && text.length() < 4 && text.charAt(0) != '0');
    }

    /** Keeps the error of a value of a wrong type if it is the first, and returns the value of an unset field. */
    private @Nullable Object mismatch(Object value, ValueFacts facts, Place place) {
        String type = FieldTypes.of(place.owner(), place.field());
        ValueFacts whole = place.field().value();
        int elements = 0;
        while (!isField(path.get(path.size() - 1 - elements))) {
            elements++;
        }
        for (; elements > 0; elements--) {
            type = FieldTypes.ofElement(type, whole);
            whole = whole.elementFacts();
        }
        keep(mismatch(value, type, unconvertible(value, facts, type), place));
        return null;
    }

    /** Returns the error of a type's own reader, of which conversions do not name the field. */
    private MalformedObjectException unreadable(Object value, String type, Place place) {
        String ofConversion = "json: cannot unmarshal " + described(value, type) + " into Go value of type " + type;
        return mismatch(value, type, ofConversion, place);
    }

    private MalformedObjectException mismatch(Object value, String type, String ofConversion, Place place) {
        StringBuilder field = new StringBuilder();
        for (String step : path) {
            if (isField(step)) {
                field.append(field.isEmpty() ? "" : ".").append(step.replace(EMBEDDED, ""));
            }
        }
        String message = "json: cannot unmarshal " + described(value, type) + " into Go struct field "
                + simple(place.owner().name()) + "." + field + " of type " + type;
        return new MalformedObjectException(message, ofConversion, showsNumber(value, type) ? steps() : List.of());
    }

    private static String described(Object value, String type) {
        return showsNumber(value, type) ? "number " + shown(value) : GoTypes.kind(value);
    }

    private static String shown(Object number) {
        return number instanceof Double value && value.isInfinite() ? value.toString() : Json.text(number);
    }

    /** Returns whether Go's error shows the text of a value: a number for a type of numbers. */
    private static boolean showsNumber(Object value, String type) {
        return value instanceof Number && NUMBERS.contains(type);
    }

    /** Returns whether a step of the path is a field, which Go's errors name, and not an element. */
    private static boolean isField(String step) {
        return !step.startsWith("[") && !step.startsWith(MAP_KEY);
    }

    private void keep(MalformedObjectException error) {
        if (firstMismatch == null) {
            firstMismatch = error;
        }
    }

    /** Returns the error of upstream where it converts a tree to a struct without JSON in between. */
    private static String unconvertible(Object value, ValueFacts facts, String type) {
        String kind = GoTypes.reflected(value);
        return switch (facts.form()) {
            case LIST, BYTES -> "cannot restore slice from " + kind;
            case MAP -> "cannot restore map from " + kind;
            case STRUCT -> "cannot restore struct from: " + kind;
            default -> {
                String basic = facts.form().goType();
                boolean convertible = value instanceof Number
                        && !basic.equals("bool")
                        && (value instanceof Long || !basic.equals("string"));
                yield convertible ? "cannot convert " + kind + " to " + type : "unrecognized type: " + basic;
            }
        };
    }

    private static String simple(String definition) {
        return definition.substring(definition.lastIndexOf('.') + 1);
    }

    private void complain(String what, String name) {
        if (silent == 0 && complaints.size() < MOST_COMPLAINTS) {
            complaints.add(what + " " + GoTypes.quoted(pathTo(name)));
        }
    }

    private void complainIfDuplicate(String name) {
        if (!duplicates.isEmpty() && duplicates.contains(pathTo(name))) {
            complain("duplicate field", name);
        }
    }

    private String pathTo(String name) {
        if (path.isEmpty()) {
            return name;
        }
        StringBuilder text = new StringBuilder();
        for (String step : path) {
            if (step.startsWith(EMBEDDED)) {
                continue;
            }
            String shown = step.startsWith(MAP_KEY) ? step.substring(MAP_KEY.length()) : step;
            text.append(text.isEmpty() || step.startsWith("[") ? "" : ".").append(shown);
        }
        return text.append('.').append(name).toString();
    }
}
