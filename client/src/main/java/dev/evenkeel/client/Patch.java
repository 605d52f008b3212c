package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * A change to an object, in text form.
 *
 * @param text JSON; for {@link Type#APPLY} also YAML
 */
public record Patch(Type type, String text) {
    /** Returns an RFC 7386 patch: an object that is merged into the existing one; null removes. */
    public static Patch merge(String json) {
        return new Patch(Type.MERGE, json);
    }

    /** Returns an RFC 6902 patch: a list of operations. */
    public static Patch json(String json) {
        return new Patch(Type.JSON, json);
    }

    /** Returns a strategic merge patch, which merges the lists of built-in kinds by their keys. */
    public static Patch strategic(String json) {
        return new Patch(Type.STRATEGIC, json);
    }

    /** Returns a server-side apply: the fields that a manager wants, and only those. */
    public static Patch apply(String yaml) {
        return new Patch(Type.APPLY, yaml);
    }

    /**
     * Returns the merge patch that turns the first object into the second: removed fields are null, lists are whole.
     * Without a difference it is {@code {}}.
     */
    public static Patch mergeBetween(HasMetadata before, HasMetadata after) {
        return mergeBetween(ModelCodec.encode(before), ModelCodec.encode(after));
    }

    /**
     * Returns the merge patch that turns the first JSON text into the second. A null that the first does not have is
     * ignored, as merges cannot express it.
     *
     * @throws IllegalArgumentException when one of them is not JSON
     */
    public static Patch mergeBetween(byte[] before, byte[] after) {
        return merge(Difference.merge(before, after));
    }

    /**
     * Returns the operations that turn the first object into the second: additions, removals and replacements, by the
     * names of the fields. Without a difference it is {@code []}.
     */
    public static Patch jsonBetween(HasMetadata before, HasMetadata after) {
        return jsonBetween(ModelCodec.encode(before), ModelCodec.encode(after));
    }

    /**
     * Returns the operations that turn the first JSON text into the second.
     *
     * @throws IllegalArgumentException when one of them is not JSON
     */
    public static Patch jsonBetween(byte[] before, byte[] after) {
        return json(Difference.json(before, after));
    }

    /**
     * Returns a copy of the object with this patch applied locally; for {@link Type#JSON} and
     * {@link Type#MERGE}.
     *
     * @throws IllegalArgumentException when it does not fit the object, or the result does not fit the class
     */
    @SuppressWarnings("unchecked") // decoded as its class
    public <T extends HasMetadata> T appliedTo(T object) {
        return (T) ModelCodec.decode(Difference.applied(this, ModelCodec.encode(object)), object.getClass());
    }

    /** Returns the text in UTF-8. */
    public byte[] bytes() {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The format of a patch. */
    public enum Type {
        /** A list of operations on paths, RFC 6902. */
        JSON("application/json-patch+json"),
        /** A document merged into the object, null removes, lists are replaced: RFC 7386. */
        MERGE("application/merge-patch+json"),
        /** A document merged into the object, lists are merged as their type declares; built-in kinds only. */
        STRATEGIC("application/strategic-merge-patch+json"),
        /** Server-side apply: the fields that one field manager wants, and nothing else. */
        APPLY("application/apply-patch+yaml");

        private final String mediaType;

        Type(String mediaType) {
            this.mediaType = mediaType;
        }

        /** Returns the media type of the body, without parameters. */
        public String mediaType() {
            return mediaType;
        }

        /** Returns the type of a {@code Content-Type}, ignoring parameters; empty when it is not a patch. */
        public static Optional<Type> of(String contentType) {
            int end = contentType.indexOf(';');
            String media = (end < 0 ? contentType : contentType.substring(0, end))
                    .strip()
                    .toLowerCase(Locale.ROOT);
            for (Type type : values()) {
                if (type.mediaType.equals(media)) {
                    return Optional.of(type);
                }
            }
            return Optional.empty();
        }
    }
}
