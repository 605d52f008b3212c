package dev.evenkeel.client;

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

    /** UTF-8. */
    public byte[] bytes() {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
