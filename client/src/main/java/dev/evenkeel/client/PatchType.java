package dev.evenkeel.client;

import java.util.Locale;
import java.util.Optional;

/** How the body of a patch is to be read. */
public enum PatchType {
    /** A list of operations on paths, RFC 6902. */
    JSON("application/json-patch+json"),
    /** A document laid over the object, null removes, lists are replaced: RFC 7386. */
    MERGE("application/merge-patch+json"),
    /** A document laid over the object, lists are merged as their type says; built-in kinds only. */
    STRATEGIC("application/strategic-merge-patch+json"),
    /** Server-side apply: what one field manager wants, and nothing else. */
    APPLY("application/apply-patch+yaml");

    private final String mediaType;

    PatchType(String mediaType) {
        this.mediaType = mediaType;
    }

    /** The media type of the body, without parameters. */
    public String mediaType() {
        return mediaType;
    }

    /** The type of a {@code Content-Type}, whose parameters do not count; empty when it is no patch. */
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
