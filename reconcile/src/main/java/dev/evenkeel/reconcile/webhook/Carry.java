package dev.evenkeel.reconcile.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * Carries what changed in an object over to the text that it was read from.
 *
 * <p>The class of an object may not know all fields that the text has: a newer API server sends more. What it does not know
 * is not in what it writes; a difference of the text and that would take it away. So the difference is that of the object as
 * it was read and as it is now, and only that happens to the text.
 *
 * <p>Invariants: what is the same before and after stays as the text has it; what the class knows is afterwards as it wrote
 * it. Of a list that has become longer or shorter, elements are as the class wrote them.
 */
final class Carry {
    private Carry() {}

    /**
     * The text, changed.
     *
     * @param text as it came
     * @param before as the class of the object writes what it read from that
     * @param after as the class writes it now
     */
    static JsonNode over(JsonNode text, JsonNode before, JsonNode after) {
        if (before.equals(after)) {
            return text;
        }
        if (text instanceof ObjectNode fields && before.isObject() && after.isObject()) {
            return object(fields, before, after);
        }
        if (text instanceof ArrayNode elements
                && before.isArray()
                && after.isArray()
                && text.size() == before.size()
                && before.size() == after.size()) {
            ArrayNode all = elements.arrayNode();
            for (int i = 0; i < elements.size(); i++) {
                all.add(over(elements.get(i), before.get(i), after.get(i)));
            }
            return all;
        }
        return after;
    }

    private static JsonNode object(ObjectNode text, JsonNode before, JsonNode after) {
        ObjectNode all = text.deepCopy();
        before.fieldNames().forEachRemaining(name -> {
            if (!after.has(name)) {
                all.remove(name);
            }
        });
        for (Map.Entry<String, JsonNode> field : after.properties()) {
            JsonNode was = before.get(field.getKey());
            JsonNode here = text.get(field.getKey());
            if (was == null || here == null) {
                if (!field.getValue().equals(was)) {
                    all.set(field.getKey(), field.getValue());
                }
            } else {
                all.set(field.getKey(), over(here, was, field.getValue()));
            }
        }
        return all;
    }
}
