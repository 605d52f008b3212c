package dev.evenkeel.protobuf;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Map;

/**
 * A part of the status of an object, under a key of its own: what one controller reports. Immutable.
 *
 * @param observedGeneration generation of the object that the controller has seen; 0 for none
 * @param conditions each type once
 * @param fields all other fields, in JSON, such as those of a message that the type has for this key
 */
public record StatusPart(long observedGeneration, List<Condition> conditions, Map<String, Object> fields) {
    /** Says nothing. */
    public static final StatusPart EMPTY = new StatusPart(0, List.of(), Map.of());

    private static final String GENERATION = "observedGeneration";
    private static final String CONDITIONS = "conditions";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Copies the lists. */
    public StatusPart {
        conditions = List.copyOf(conditions);
        fields = Map.copyOf(fields);
    }

    /** Returns a copy with this generation. */
    public StatusPart observedGeneration(long value) {
        return new StatusPart(value, conditions, fields);
    }

    /** Returns a copy with these conditions. */
    public StatusPart conditions(List<Condition> value) {
        return new StatusPart(observedGeneration, value, fields);
    }

    /** Returns a copy with these other fields. */
    public StatusPart fields(Map<String, Object> value) {
        return new StatusPart(observedGeneration, conditions, value);
    }

    static StatusPart of(JsonNode tree) {
        ObjectNode others = tree.deepCopy();
        long generation = tree.path(GENERATION).asLong(); // a number, or a text with one
        List<Condition> conditions =
                tree.has(CONDITIONS) ? MAPPER.convertValue(tree.get(CONDITIONS), new TypeReference<>() {}) : List.of();
        others.remove(List.of(GENERATION, CONDITIONS));
        return new StatusPart(generation, conditions, MAPPER.convertValue(others, new TypeReference<>() {}));
    }

    ObjectNode tree() {
        ObjectNode tree = MAPPER.valueToTree(fields);
        if (observedGeneration != 0) {
            tree.put(GENERATION, observedGeneration);
        }
        if (!conditions.isEmpty()) {
            tree.set(CONDITIONS, MAPPER.valueToTree(conditions));
        }
        return tree;
    }
}
