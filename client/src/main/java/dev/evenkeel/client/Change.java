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
 * What somebody changed in an object, to be made in another one that says something else beside: the same object in a class
 * that knows more of it, or as somebody else has changed it meanwhile.
 *
 * <p>The problem: a patch is made for the object that it was taken of. A merge patch has lists whole, and loses what the
 * other object has in their elements; operations on paths go wrong where the other one has no such list yet. So here the
 * three are walked at once: before, after, and the other.
 *
 * <ol>
 * <li>What is the same before and after stays in the other object as it is.
 * <li>Fields of objects are changed one by one; what the other one does not have is made. When an object is gone, so are
 *     its fields, one by one, and it itself unless the other one has more in it; but in another class, which may know more
 *     of it, it is gone whole.
 * <li>A list that is not there is an empty one. Elements of a list whose elements all have a {@code type}, or all a {@code name}, none twice, are known by that, as
 *     conditions and containers are. Of other lists of equal length elements are known by their place, if there are as many
 *     in the other one. All others are one value.
 * </ol>
 */
public final class Change {
    private static final List<String> KEYS = List.of("type", "name");

    private final Class<?> type;
    private final JsonNode before;
    private final JsonNode after;

    private Change(Class<?> type, JsonNode before, JsonNode after) {
        this.type = type;
        this.before = before;
        this.after = after;
    }

    /** What makes the one object the other. */
    public static Change between(HasMetadata before, HasMetadata after) {
        return new Change(
                before.getClass(),
                Difference.parsed(ModelCodec.encode(before)),
                Difference.parsed(ModelCodec.encode(after)));
    }

    /**
     * Makes this change in an object, whatever it has there.
     *
     * @throws IllegalArgumentException when what comes of it does not fit the class; then nothing is changed
     */
    public void makeIn(HasMetadata target) {
        JsonNode changed = new Walk(false, target.getClass() == type)
                .walk("", before, after, Difference.parsed(ModelCodec.encode(target)));
        ModelCodec.assign(target, ModelCodec.decode(Difference.text(changed), target.getClass()));
    }

    /**
     * Where an object, which began as this one did, has been changed too, and to something else: paths such as
     * {@code status.phase}, with the two values. When there are none, {@link #makeIn} loses nothing.
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

        /** What comes of the other one; missing when it is removed. */
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
