package dev.evenkeel.client;

import java.util.Locale;
import java.util.Optional;

/** The format of a patch. */
public enum PatchType {
    /** A list of operations on paths, RFC 6902. */
    JSON("application/json-patch+json"),
    /** A document merged into the object, null removes, lists are replaced: RFC 7386. */
    MERGE("application/merge-patch+json"),
    /** A document merged into the object, lists are merged as their type declares; built-in kinds only. */
    STRATEGIC("application/strategic-merge-patch+json"),
    /** Server-side apply: the fields that one field manager wants, and nothing else. */
    APPLY("application/apply-patch+yaml");

    private final String mediaType;

    PatchType(String mediaType) {
        this.mediaType = mediaType;
    }

    /** Returns the media type of the body, without parameters. */
    public String mediaType() {
        return mediaType;
    }

    /** Returns the type of a {@code Content-Type}, ignoring parameters; empty when it is not a patch. */
    public static Optional<PatchType> of(String contentType) {
        int end = contentType.indexOf(';');
        String media =
                (end < 0 ? contentType : contentType.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        for (PatchType type : values()) {
            if (type.mediaType.equals(media)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }
}
