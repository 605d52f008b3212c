package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.ListedObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads documents of built-in types in which a key occurs more than once in an object.
 *
 * <p>Problem: upstream reads each value into what the one before left. So objects become one; items of a list are read
 * into those at their place, of which the longer list loses its end; keys of a map are added, each with a new value;
 * {@code null} empties pointers, lists and maps, and leaves texts, numbers and structs as they are. And the unknown and
 * duplicate fields of each value are listed, also of one that is replaced later: a duplicate where its key occurs again,
 * before those of its value.
 *
 * <p>The tree has known fields only; {@link BuiltinDecoder} brings it into its form. A value of a wrong type stays, so that
 * it is refused there. Only documents with such keys are read this way.
 */
public final class RepeatedFields {
    /** Further unknown and duplicate fields are not listed. */
    private static final int MOST_PROBLEMS = 100;

    /** Further ones are not even looked at: their paths may be long, and the same. */
    private static final int MOST_MET = 1000;

    private final List<String> path = new ArrayList<>();
    private final Set<String> problems = new LinkedHashSet<>();
    private int met;

    private RepeatedFields() {}

    /**
     * A document as read.
     *
     * @param tree the object
     * @param problems {@code unknown field "a"} and {@code duplicate field "a"}, each once, in the order of the document
     */
    public record Read(JsonObject tree, List<String> problems) {}

    /**
     * Reads a document.
     *
     * @param json a document that {@link Json} accepts
     * @param definition definition name of its type
     */
    public static Read read(byte[] json, JsonLimits limits, String definition) {
        RepeatedFields fields = new RepeatedFields();
        JsonObject tree = Json.parseListed(json, limits) instanceof ListedObject listed
                ? fields.struct(listed, FactTable.INSTANCE.type(definition), new JsonObject())
                : new JsonObject();
        return new Read(tree, List.copyOf(fields.problems));
    }

    private JsonObject struct(ListedObject sent, TypeFacts type, JsonObject before) {
        Set<String> keys = new HashSet<>();
        for (Map.Entry<String, @Nullable Object> member : sent.members()) {
            String key = member.getKey();
            FieldFacts field = type.fields().get(key);
            if (field == null) {
                meet("unknown field", key);
                continue;
            }
            if (!keys.add(key)) {
                meet("duplicate field", key);
            }
            path.add("." + key);
            before.put(key, value(member.getValue(), field.value(), field.pointer(), before.get(key)));
            path.removeLast();
        }
        return before;
    }

    private JsonObject map(ListedObject sent, ValueFacts element, JsonObject before) {
        Set<String> keys = new HashSet<>();
        for (Map.Entry<String, @Nullable Object> member : sent.members()) {
            String key = member.getKey();
            if (!keys.add(key)) {
                meet("duplicate field", key);
            }
            path.add("." + key);
            before.put(key, value(member.getValue(), element, false, null));
            path.removeLast();
        }
        return before;
    }

    private List<@Nullable Object> list(List<?> sent, ValueFacts element, List<?> before) {
        List<@Nullable Object> list = new ArrayList<>(sent.size());
        for (int i = 0; i < sent.size(); i++) {
            path.add("[" + i + "]");
            list.add(value(sent.get(i), element, false, i < before.size() ? before.get(i) : null));
            path.removeLast();
        }
        return list;
    }

    /** Returns the value after another one was read into it. */
    private @Nullable Object value(@Nullable Object sent, ValueFacts facts, boolean pointer, @Nullable Object before) {
        if (before != null && !fits(before, facts)) {
            return before;
        }
        if (sent == null) {
            return pointer ? null : unset(facts, before);
        }
        if (sent instanceof ListedObject object && isStruct(facts)) {
            JsonObject into = before instanceof JsonObject present ? present : new JsonObject();
            return struct(object, FactTable.INSTANCE.type(facts.reference()), into);
        }
        if (sent instanceof ListedObject object && facts.form() == ValueForm.MAP) {
            return map(object, facts.elementFacts(), before instanceof JsonObject present ? present : new JsonObject());
        }
        if (sent instanceof List<?> list && facts.form() == ValueForm.LIST) {
            return list(list, facts.elementFacts(), before instanceof List<?> present ? present : List.of());
        }
        return ListedObject.plain(sent);
    }

    /** Returns what null leaves of a value other than a pointer. */
    private static @Nullable Object unset(ValueFacts facts, @Nullable Object before) {
        return switch (facts.form()) {
            case LIST, MAP, BYTES, ANY, FIELDS, TIME, MICROTIME, QUANTITY -> null;
            case INT_OR_STRING -> before instanceof String ? Long.valueOf(0) : before;
            default -> before;
        };
    }

    private static boolean isStruct(ValueFacts facts) {
        return facts.form() == ValueForm.STRUCT
                && FactTable.INSTANCE.type(facts.reference()).form() == ValueForm.STRUCT;
    }

    private static boolean fits(Object value, ValueFacts facts) {
        return isStruct(facts) ? value instanceof JsonObject : BuiltinDecoder.fits(value, facts.form());
    }

    private void meet(String what, String key) {
        if (problems.size() < MOST_PROBLEMS && met++ < MOST_MET) {
            String above = String.join("", path);
            problems.add(what + " " + GoTypes.quoted(above.isEmpty() ? key : above.substring(1) + "." + key));
        }
    }
}
