package dev.evenkeel.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The change between two states of an object, to be applied to a third state with further content: the same object in a
 * class with more fields, or as another client has changed it meanwhile.
 *
 * <p>The problem: a patch fits the object that it was made from. A merge patch replaces lists whole, and loses what the
 * target has in their elements; operations on paths fail where the target does not have the list yet. So the three
 * trees are walked at once: before, after, and the target.
 *
 * <ol>
 * <li>What is equal before and after stays in the target as it is.
 * <li>Fields of objects are changed one by one; those missing in the target are created. When an object is removed, its
 *     fields are removed one by one, and the object itself unless the target has more in it; in a target of another
 *     class, which may know more fields, it is removed whole.
 * <li>A missing list counts as empty. If all elements of a list have a distinct {@code type}, or all a distinct
 *     {@code name}, they are matched by it, as conditions and containers are. Elements of other lists are matched by
 *     position if all three lists have the same length. Any other list is one value.
 * </ol>
 */
public final class ObjectChange {
    private static final List<String> KEYS = List.of("type", "name");

    private final Class<?> type;
    private final JsonNode before;
    private final JsonNode after;

    private ObjectChange(Class<?> type, JsonNode before, JsonNode after) {
        this.type = type;
        this.before = before;
        this.after = after;
    }

    /** Returns the change that turns the first object into the second. */
    public static ObjectChange between(HasMetadata before, HasMetadata after) {
        return new ObjectChange(
                before.getClass(),
                Difference.parsed(ModelCodec.encode(before)),
                Difference.parsed(ModelCodec.encode(after)));
    }

    /**
     * Applies this change to an object, overwriting conflicting values.
     *
     * @throws IllegalArgumentException when the result does not fit the class; then nothing is changed
     */
    public void applyTo(HasMetadata target) {
        JsonNode changed = new Walk(false, target.getClass() == type)
                .walk("", before, after, Difference.parsed(ModelCodec.encode(target)));
        ModelCodec.assign(target, ModelCodec.decode(Difference.text(changed), target.getClass()));
    }

    /**
     * Returns the fields of an object, derived from the same original, that were changed to another value: paths such
     * as {@code status.phase}, with the two values. If empty, {@link #applyTo} loses nothing.
     */
    public List<String> conflicts(HasMetadata target) {
        Walk walk = new Walk(true, target.getClass() == type);
        JsonNode unused = walk.walk("", before, after, Difference.parsed(ModelCodec.encode(target)));
        return walk.conflicts;
    }

    private static final class Walk {
        private final boolean strict;
        private final boolean sameClass;
        private final List<String> conflicts = new ArrayList<>();

        Walk(boolean strict, boolean sameClass) {
            this.strict = strict;
            this.sameClass = sameClass;
        }

        /** Returns the new value of the target; missing when it is removed. */
        JsonNode walk(String path, JsonNode from, JsonNode to, JsonNode other) {
            if (from.equals(to) || to.equals(other)) {
                return other;
            }
            if (from.isMissingNode() && other.isMissingNode()) {
                return to;
            }
            if (to instanceof ObjectNode toObject
                    && orMissing(from, ObjectNode.class)
                    && orMissing(other, ObjectNode.class)) {
                return fields(path, from, toObject, other);
            }
            if (sameClass && to.isMissingNode() && from instanceof ObjectNode && other instanceof ObjectNode) {
                JsonNode rest = fields(path, from, JsonNodeFactory.instance.objectNode(), other);
                return rest.isEmpty() ? to : rest;
            }
            if (to instanceof ArrayNode list && orMissing(from, ArrayNode.class) && orMissing(other, ArrayNode.class)) {
                Optional<JsonNode> merged = elements(path, from, list, other);
                if (merged.isPresent()) {
                    return merged.get();
                }
            }
            if (strict && !from.equals(other)) {
                conflicts.add((path.isEmpty() ? "all" : path.substring(1)) + ": " + words(to) + " or " + words(other));
            }
            return to;
        }

        private static boolean orMissing(JsonNode node, Class<? extends JsonNode> type) {
            return node.isMissingNode() || type.isInstance(node);
        }

        private static String words(JsonNode node) {
            return node.isMissingNode() ? "nothing" : node.toString();
        }

        private JsonNode fields(String path, JsonNode from, ObjectNode to, JsonNode other) {
            ObjectNode changed =
                    other instanceof ObjectNode object ? object.deepCopy() : JsonNodeFactory.instance.objectNode();
            Set<String> names =
                    new LinkedHashSet<>(from instanceof ObjectNode object ? Difference.names(object) : List.of());
            names.addAll(Difference.names(to));
            for (String name : names) {
                JsonNode value = walk(path + "." + name, from.path(name), to.path(name), other.path(name));
                if (value.isMissingNode()) {
                    changed.remove(name);
                } else {
                    changed.set(name, value);
                }
            }
            return changed;
        }

        private Optional<JsonNode> elements(String path, JsonNode from, ArrayNode to, JsonNode other) {
            for (String key : KEYS) {
                Optional<Map<String, JsonNode>> fromKeyed = keyed(key, from);
                Optional<Map<String, JsonNode>> toKeyed = keyed(key, to);
                Optional<Map<String, JsonNode>> keyed = keyed(key, other);
                if (fromKeyed.isPresent() && toKeyed.isPresent() && keyed.isPresent()) {
                    return Optional.of(byKey(path, fromKeyed.get(), toKeyed.get(), keyed.get()));
                }
            }
            return from.size() == to.size() && from.size() == other.size()
                    ? Optional.of(byPlace(path, from, to, other))
                    : Optional.empty();
        }

        private static Optional<Map<String, JsonNode>> keyed(String key, JsonNode list) {
            Map<String, JsonNode> elements = new LinkedHashMap<>();
            for (JsonNode element : list) {
                if (!element.path(key).isTextual()
                        || elements.put(element.path(key).textValue(), element) != null) {
                    return Optional.empty();
                }
            }
            return Optional.of(elements);
        }

        private JsonNode byKey(
                String path, Map<String, JsonNode> from, Map<String, JsonNode> to, Map<String, JsonNode> other) {
            Set<String> keys = new LinkedHashSet<>(other.keySet());
            keys.addAll(to.keySet());
            ArrayNode list = JsonNodeFactory.instance.arrayNode();
            for (String key : keys) {
                JsonNode element = walk(path + "[" + key + "]", in(from, key), in(to, key), in(other, key));
                if (!element.isMissingNode()) {
                    list.add(element);
                }
            }
            return list;
        }

        private static JsonNode in(Map<String, JsonNode> elements, String key) {
            return elements.getOrDefault(key, MissingNode.getInstance());
        }

        private JsonNode byPlace(String path, JsonNode from, ArrayNode to, JsonNode other) {
            ArrayNode list = JsonNodeFactory.instance.arrayNode();
            for (int i = 0; i < to.size(); i++) {
                list.add(walk(path + "[" + i + "]", from.get(i), to.get(i), other.get(i)));
            }
            return list;
        }
    }
}
