package dev.evenkeel.client;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.zjsonpatch.DiffFlags;
import io.fabric8.zjsonpatch.JsonDiff;
import io.fabric8.zjsonpatch.JsonPatch;
import io.fabric8.zjsonpatch.JsonPatchException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/**
 * Computes and applies the difference of two JSON texts. Both texts are parsed the same way, and their fields are
 * sorted: the same number in two Java classes does not differ, and a patch does not depend on the order in which a
 * class or a map gives its fields.
 */
final class Difference {
    private static final JsonMapper MAPPER = ModelCodec.mapper()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    /** Additions, removals and replacements only: such patches are read by users, and written in tests. */
    private static final EnumSet<DiffFlags> PLAIN =
            EnumSet.of(DiffFlags.OMIT_VALUE_ON_REMOVE, DiffFlags.OMIT_MOVE_OPERATION, DiffFlags.OMIT_COPY_OPERATION);

    private Difference() {}

    /** Returns the difference as RFC 6902 operations. */
    static String json(byte[] before, byte[] after) {
        return JsonDiff.asJson(sorted(parsed(before)), sorted(parsed(after)), PLAIN)
                .toString();
    }

    /** Returns the difference as an RFC 7386 merge patch. */
    static String merge(byte[] before, byte[] after) {
        return merge(sorted(parsed(before)), sorted(parsed(after))).toString();
    }

    private static JsonNode merge(JsonNode before, JsonNode after) {
        if (!(before instanceof ObjectNode from) || !(after instanceof ObjectNode to)) {
            return after;
        }
        ObjectNode patch = MAPPER.createObjectNode();
        for (String field : names(from)) {
            if (!to.has(field)) {
                patch.putNull(field);
            }
        }
        to.forEachEntry((field, value) -> {
            JsonNode present = from.path(field);
            if (!present.equals(value)) {
                patch.set(field, present.isMissingNode() ? value : merge(present, value));
            }
        });
        return patch;
    }

    /**
     * Returns the text with the patch applied.
     *
     * @throws IllegalArgumentException when the patch does not fit
     */
    static byte[] applied(Patch patch, byte[] text) {
        JsonNode before = parsed(text);
        JsonNode change = parsed(patch.bytes());
        JsonNode after = switch (patch.type()) {
            case JSON -> {
                try {
                    yield JsonPatch.apply(change, before);
                } catch (JsonPatchException e) {
                    throw new IllegalArgumentException(
                            "patch " + patch.text() + " does not fit " + before + ": " + e.getMessage(), e);
                }
            }
            case MERGE -> merged(before, change);
            case STRATEGIC, APPLY ->
                throw new IllegalArgumentException("patch: " + patch.type()
                        + " needs what a server knows of the kind: use JSON or MERGE, or send it");
        };
        return text(after);
    }

    static byte[] text(JsonNode tree) {
        try {
            return MAPPER.writeValueAsBytes(tree);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("cannot write " + tree + " as JSON", e);
        }
    }

    private static JsonNode merged(JsonNode before, JsonNode change) {
        if (!(change instanceof ObjectNode changes)) {
            return change;
        }
        ObjectNode after = before instanceof ObjectNode object ? object : MAPPER.createObjectNode();
        changes.forEachEntry((field, value) -> {
            if (value.isNull()) {
                after.remove(field);
            } else {
                after.set(field, merged(after.path(field), value));
            }
        });
        return after;
    }

    static JsonNode parsed(byte[] text) {
        try {
            JsonNode tree = MAPPER.readTree(text);
            if (tree.isMissingNode()) {
                throw new IllegalArgumentException("not JSON: empty text");
            }
            return tree;
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not JSON: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode sorted(JsonNode tree) {
        return switch (tree) {
            case ObjectNode object -> {
                ObjectNode copy = MAPPER.createObjectNode();
                names(object).forEach(name -> copy.set(name, sorted(object.path(name))));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = MAPPER.createArrayNode();
                array.forEach(element -> copy.add(sorted(element)));
                yield copy;
            }
            default -> tree;
        };
    }

    static List<String> names(ObjectNode object) {
        return object.properties().stream().map(Map.Entry::getKey).sorted().toList();
    }
}
