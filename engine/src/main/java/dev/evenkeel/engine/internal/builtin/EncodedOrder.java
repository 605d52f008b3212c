package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The order of members in objects that upstream encodes: that of the fields in their struct, and of maps by key.
 *
 * <p>It is seen in errors about the result of a patch. There a patch works on encoded objects, and what it touches has
 * sorted keys.
 */
public final class EncodedOrder {
    private EncodedOrder() {}

    /**
     * Returns the result of a patch in the order that upstream shows.
     *
     * @param definition of the type of both
     * @param live the object before
     */
    public static JsonObject patched(String definition, JsonObject result, JsonObject live) {
        return result.equals(live) ? struct(definition, live) : touched(definition, result, live);
    }

    /** Returns an object of a type with all members in the order of their fields. */
    public static JsonObject of(String definition, JsonObject object) {
        return struct(definition, object);
    }

    private static JsonObject touched(String definition, JsonObject result, JsonObject live) {
        Map<String, FieldFacts> fields = FactTable.INSTANCE.type(definition).fields();
        Map<String, @Nullable Object> sorted = new TreeMap<>();
        result.forEach((name, value) -> {
            FieldFacts field = fields.get(name);
            Object before = live.get(name);
            Object shown = value;
            if (field != null && value != null && value.equals(before)) {
                shown = value(field.value(), value);
            } else if (field != null
                    && field.value().form() == ValueForm.STRUCT
                    && value instanceof JsonObject now
                    && before instanceof JsonObject former) {
                shown = touched(field.value().reference(), now, former);
            } else if (value instanceof JsonObject) {
                shown = Json.sorted(value);
            }
            sorted.put(name, shown);
        });
        return new JsonObject(sorted);
    }

    private static JsonObject struct(String definition, JsonObject object) {
        Map<String, FieldFacts> fields = FactTable.INSTANCE.type(definition).fields();
        Set<String> names = new LinkedHashSet<>();
        FieldFacts kind = fields.get("kind");
        if (kind != null && kind.path().isEmpty()) {
            names.addAll(List.of("kind", "apiVersion"));
        }
        names.addAll(InternalForm.encodedOrder(definition));
        names.addAll(object.keySet());
        JsonObject ordered = new JsonObject();
        for (String name : names) {
            if (object.containsKey(name)) {
                FieldFacts field = fields.get(name);
                Object value = object.get(name);
                ordered.put(name, field == null ? value : value(field.value(), value));
            }
        }
        return ordered;
    }

    private static @Nullable Object value(ValueFacts facts, @Nullable Object value) {
        return switch (value) {
            case JsonObject object when facts.form() == ValueForm.STRUCT -> struct(facts.reference(), object);
            case JsonObject map
            when facts.form() == ValueForm.MAP -> {
                Map<String, @Nullable Object> sorted = new TreeMap<>();
                map.forEach((key, each) -> sorted.put(key, value(facts.elementFacts(), each)));
                yield new JsonObject(sorted);
            }
            case List<?> list
            when facts.form() == ValueForm.LIST -> {
                List<@Nullable Object> items = new ArrayList<>();
                list.forEach(each -> items.add(value(facts.elementFacts(), each)));
                yield items;
            }
            case null, default -> value;
        };
    }
}
