package dev.evenkeel.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.IOException;
import java.util.Comparator;

/**
 * Compares the meaning of objects: writing one over an equal one has no effect. The form does not count: an empty list
 * or map equals a missing one, {@code 1} equals {@code 1000m}, a number is the same in any Java class, and the order of
 * fields is ignored. Objects whose class has its own {@code equals} may also be equal by that, so a class can decide
 * which fields do not count.
 *
 * <p>An empty object that is not a list or map differs from a missing one ({@code emptyDir: {}}), and so does an empty
 * text.
 *
 * <p>Semantics: {@code equality.Semantic} of apimachinery.
 */
public final class SemanticEquality {
    private static final JsonMapper MAPPER = ModelCodec.mapper()
            .addMixIn(Quantity.class, Canonical.class)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_EMPTY, JsonInclude.Include.ALWAYS))
            .build();

    private static final Comparator<JsonNode> NUMBERS = (one, other) -> one.equals(other)
            ? 0
            : one.isNumber() && other.isNumber() ? one.decimalValue().compareTo(other.decimalValue()) : 1;

    /** Serializes quantities by amount instead of by their original text. */
    @JsonSerialize(using = Amount.class)
    private interface Canonical {}

    private static final class Amount extends StdSerializer<Quantity> {
        Amount() {
            super(Quantity.class);
        }

        @Override
        public void serialize(Quantity quantity, JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeString(text(quantity));
        }

        private static String text(Quantity quantity) {
            try {
                return quantity.getNumericalAmount().stripTrailingZeros().toPlainString();
            } catch (ArithmeticException | IllegalArgumentException e) {
                // not an amount: the server will refuse it
                return quantity.toString();
            }
        }
    }

    private SemanticEquality() {}

    /** Returns whether two objects say the same. */
    public static boolean same(HasMetadata one, HasMetadata other) {
        return equal(one, other) || tree(one).equals(NUMBERS, tree(other));
    }

    /** Compares by {@code equals}, which throws for quantities that are not amounts. */
    private static boolean equal(Object one, Object other) {
        try {
            return one.equals(other);
        } catch (ArithmeticException | IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns whether two objects say the same in their status. */
    public static boolean sameStatus(HasMetadata one, HasMetadata other) {
        return status(one).equals(NUMBERS, status(other));
    }

    /**
     * Returns whether an object says all that another one says, in the sense of {@link #same}; it may say more. A list
     * says more when its items do, and not when there are more of them.
     */
    public static boolean includes(HasMetadata whole, HasMetadata part) {
        JsonNode said = tree(part);
        return said.equals(NUMBERS, excerpt(tree(whole), said));
    }

    /**
     * Returns the fields of an object that a pattern has too, as JSON: equal texts, for the same pattern, have the same
     * meaning. Lists of different length are taken whole.
     */
    public static String excerpt(HasMetadata whole, HasMetadata pattern) {
        return excerpt(tree(whole), tree(pattern)).toString();
    }

    private static JsonNode excerpt(JsonNode whole, JsonNode pattern) {
        if (whole.isObject() && pattern.isObject()) {
            ObjectNode found = JsonNodeFactory.instance.objectNode();
            pattern.properties().forEach(field -> {
                JsonNode there = whole.get(field.getKey());
                if (there != null) {
                    found.set(field.getKey(), excerpt(there, field.getValue()));
                }
            });
            return found;
        }
        if (whole.isArray() && pattern.isArray() && whole.size() == pattern.size()) {
            ArrayNode found = JsonNodeFactory.instance.arrayNode();
            for (int i = 0; i < whole.size(); i++) {
                found.add(excerpt(whole.get(i), pattern.get(i)));
            }
            return found;
        }
        return whole;
    }

    private static JsonNode tree(HasMetadata object) {
        return ModelCodec.tree(object, MAPPER);
    }

    private static JsonNode status(HasMetadata object) {
        JsonNode status = tree(object).path("status");
        // Jackson reports texts and numbers as empty too: they have no elements
        boolean none = status.isNull() || (status.isContainerNode() && status.isEmpty());
        return none ? MissingNode.getInstance() : status;
    }
}
