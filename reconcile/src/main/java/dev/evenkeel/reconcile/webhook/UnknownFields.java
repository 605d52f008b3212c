package dev.evenkeel.reconcile.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * Transfers changes of an object to the text that it was read from, keeping fields unknown to its class.
 *
 * <p>The class of an object may not know all fields of the text: a newer API server sends more. Unknown fields are
 * missing in its own text; a difference between the two would remove them. So the difference is taken between the
 * object as read and as changed, and only that is applied to the text.
 *
 * <p>Invariants: values equal before and after stay as in the text; known fields are as the class writes them. Elements
 * of a list that changed its length are as the class writes them.
 */
final class UnknownFields {
    private UnknownFields() {}

    /**
     * Returns the text with the changes.
     *
     * @param text as received
     * @param before the object as read, as its class writes it
     * @param after the changed object, as its class writes it
     */
    static JsonNode preserve(JsonNode text, JsonNode before, JsonNode after) {
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
                all.add(preserve(elements.get(i), before.get(i), after.get(i)));
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
            String name = field.getKey();
            JsonNode kept = preserve(text.path(name), before.path(name), field.getValue());
            if (!kept.isMissingNode()) {
                all.set(name, kept);
            }
        }
        return all;
    }
}
