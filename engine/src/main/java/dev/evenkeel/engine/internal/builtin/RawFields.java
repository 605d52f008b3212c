package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.VerbatimObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a built-in kind that hold any object, which upstream stores as the text that its client sent.
 *
 * <p>The problem: upstream compares these texts. A client that sends spaces and then a patch finds that the patch, which
 * works on the encoded object and leaves no spaces, has changed the field: it begins a generation, and is refused where
 * the field cannot change. So objects that were sent with spaces are {@link VerbatimObject}s in trees, which differ from
 * others, and what is stored says that it has them.
 *
 * <p>Cost: nothing for kinds without such fields; for others the visit of these fields at each write.
 */
public final class RawFields {
    private static final Map<String, RawFields> OF_TYPES = new ConcurrentHashMap<>();

    /** The names of the fields from the object down; lists on the way are visited item by item. */
    private final List<List<String>> paths = new ArrayList<>(0);

    private RawFields(String definition) {
        find(FactTable.INSTANCE.type(definition), List.of(), Set.of());
    }

    /** Returns those of a definition. */
    public static RawFields of(String definition) {
        return OF_TYPES.computeIfAbsent(definition, RawFields::new);
    }

    private void find(TypeFacts type, List<String> above, Set<String> open) {
        if (open.contains(type.name())) {
            return;
        }
        Set<String> inside = new HashSet<>(open);
        inside.add(type.name());
        for (FieldFacts field : type.fields().values()) {
            ValueFacts value = field.value();
            while (value.form() == ValueForm.LIST) {
                value = value.elementFacts();
            }
            List<String> path = new ArrayList<>(above);
            path.add(field.name());
            if (value.form() == ValueForm.RAW) {
                paths.add(path);
            } else if (value.form() == ValueForm.STRUCT) {
                find(FactTable.INSTANCE.type(value.reference()), path, inside);
            }
        }
    }

    /** Marks the objects as sent with spaces, if the body has any; an empty object has none. */
    public void markIfSpaced(JsonObject tree, byte[] body) {
        if (!paths.isEmpty() && hasSpaces(body)) {
            mark(tree);
        }
    }

    /** Marks the objects as sent with spaces. */
    public void mark(JsonObject tree) {
        paths.forEach(path -> replace(tree, path, raw -> raw.isEmpty() ? raw : new VerbatimObject(raw)));
    }

    /** Removes the marks: the objects have passed through an encoder. */
    public void unmark(JsonObject tree) {
        paths.forEach(path -> replace(tree, path, raw -> raw instanceof VerbatimObject ? new JsonObject(raw) : raw));
    }

    /** Returns whether an object is marked. */
    public boolean isMarked(JsonObject tree) {
        boolean[] marked = {false};
        paths.forEach(path -> replace(tree, path, raw -> {
            marked[0] |= raw instanceof VerbatimObject;
            return raw;
        }));
        return marked[0];
    }

    private static void replace(@Nullable Object value, List<String> path, UnaryOperator<JsonObject> operator) {
        if (value instanceof List<?> items) {
            items.forEach(item -> replace(item, path, operator));
        } else if (value instanceof JsonObject object) {
            String name = path.getFirst();
            if (path.size() > 1) {
                replace(object.get(name), path.subList(1, path.size()), operator);
            } else if (object.get(name) instanceof JsonObject raw) {
                object.put(name, operator.apply(raw));
            }
        }
    }

    /** Returns whether a JSON document has spaces between its tokens, other than before the first and after the last. */
    private static boolean hasSpaces(byte[] json) {
        int end = json.length;
        while (end > 0 && isSpace(json[end - 1])) {
            end--;
        }
        int start = 0;
        while (start < end && isSpace(json[start])) {
            start++;
        }
        boolean quoted = false;
        for (int i = start; i < end; i++) {
            if (json[i] == '\\' && quoted) {
                i++;
            } else if (json[i] == '"') {
                quoted = !quoted;
            } else if (!quoted && isSpace(json[i])) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSpace(byte octet) {
        return octet == ' ' || octet == '\n' || octet == '\r' || octet == '\t';
    }
}
