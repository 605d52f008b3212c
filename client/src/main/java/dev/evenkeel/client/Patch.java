package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.charset.StandardCharsets;

/**
 * A change to an object, written down.
 *
 * @param type how to read it
 * @param text JSON; for {@link PatchType#APPLY} YAML too
 */
public record Patch(PatchType type, String text) {
    /** RFC 7386: an object that is merged into the present one; null removes. */
    public static Patch merge(String json) {
        return new Patch(PatchType.MERGE, json);
    }

    /** RFC 6902: a list of operations. */
    public static Patch json(String json) {
        return new Patch(PatchType.JSON, json);
    }

    /** Merge that knows the lists of built-in kinds. */
    public static Patch strategic(String json) {
        return new Patch(PatchType.STRATEGIC, json);
    }

    /** Server-side apply: the fields that a manager wants, and only those. */
    public static Patch apply(String yaml) {
        return new Patch(PatchType.APPLY, yaml);
    }

    /**
     * What makes the one object the other, as a merge: what is gone is null, lists are whole. Without a difference it is
     * {@code {}}.
     */
    public static Patch mergeBetween(HasMetadata before, HasMetadata after) {
        return mergeBetween(ModelCodec.encode(before), ModelCodec.encode(after));
    }

    /**
     * What makes the one JSON text the other, as a merge. A null that the first does not have is no difference to merges.
     *
     * @throws IllegalArgumentException when one of them is no JSON
     */
    public static Patch mergeBetween(byte[] before, byte[] after) {
        return merge(Difference.merge(before, after));
    }

    /**
     * What makes the one object the other, as operations: additions, removals and replacements, by the names of the fields.
     * Without a difference it is {@code []}.
     */
    public static Patch jsonBetween(HasMetadata before, HasMetadata after) {
        return jsonBetween(ModelCodec.encode(before), ModelCodec.encode(after));
    }

    /**
     * What makes the one JSON text the other, as operations.
     *
     * @throws IllegalArgumentException when one of them is no JSON
     */
    public static Patch jsonBetween(byte[] before, byte[] after) {
        return json(Difference.json(before, after));
    }

    /**
     * A copy of the object with this change, made here and by nobody else: for {@link PatchType#JSON} and
     * {@link PatchType#MERGE}.
     *
     * @throws IllegalArgumentException when it does not fit the object, or what comes of it does not fit the class
     */
    @SuppressWarnings("unchecked") // decoded as its class
    public <T extends HasMetadata> T appliedTo(T object) {
        return (T) ModelCodec.decode(Difference.applied(this, ModelCodec.encode(object)), object.getClass());
    }

    /** UTF-8. */
    public byte[] bytes() {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
