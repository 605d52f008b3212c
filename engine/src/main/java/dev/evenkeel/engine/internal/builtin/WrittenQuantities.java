package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.NumberText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Replaces numbers that are quantities by their text: a quantity is read from the characters of a number, so that
 * {@code 1e3} stays {@code 1e3}, and {@code 1e400}, which no number of a tree can hold, is one as well.
 */
public final class WrittenQuantities {
    private final byte[] json;
    private final List<Object> path = new ArrayList<>();

    private WrittenQuantities(byte[] json) {
        this.json = json;
    }

    /**
     * Replaces the numbers of a tree that are not integers.
     *
     * @param tree changed in place
     * @param definition definition name of its type
     * @param json the document that it was read from
     */
    public static void restore(JsonObject tree, String definition, byte[] json) {
        new WrittenQuantities(json).struct(tree, FactTable.INSTANCE.type(definition));
    }

    private void struct(JsonObject tree, TypeFacts type) {
        for (Map.Entry<String, @Nullable Object> entry : tree.entrySet()) {
            FieldFacts field = type.fields().get(entry.getKey());
            if (field != null) {
                entry.setValue(step(entry.getKey(), entry.getValue(), field.value()));
            }
        }
    }

    private @Nullable Object step(Object step, @Nullable Object value, ValueFacts facts) {
        path.add(step);
        Object restored = value(value, facts);
        path.removeLast();
        return restored;
    }

    private @Nullable Object value(@Nullable Object value, ValueFacts facts) {
        switch (value) {
            case Double number
            when facts.form() == ValueForm.QUANTITY -> {
                // of a repeated key the text may be that of another number
                return NumberText.at(json, path)
                        .filter(text -> number.equals(Double.valueOf(text)))
                        .orElse(number.isInfinite() ? "" : Json.text(number));
            }
            case JsonObject map
            when facts.form() == ValueForm.MAP -> {
                for (Map.Entry<String, @Nullable Object> entry : map.entrySet()) {
                    entry.setValue(step(entry.getKey(), entry.getValue(), facts.elementFacts()));
                }
            }
            case JsonObject struct
            when facts.form() == ValueForm.STRUCT -> {
                TypeFacts type = FactTable.INSTANCE.type(facts.reference());
                if (type.form() == ValueForm.STRUCT) {
                    struct(struct, type);
                }
            }
            case List<?> list
            when facts.form() == ValueForm.LIST -> {
                List<@Nullable Object> items = Json.asArray(list);
                for (int i = 0; i < items.size(); i++) {
                    items.set(i, step(i, items.get(i), facts.elementFacts()));
                }
            }
            case null, default -> {}
        }
        return value;
    }
}
