package dev.evenkeel.engine.internal.object;

import java.nio.charset.StandardCharsets;

/**
 * The body of a request, as received.
 *
 * @param bytes must not be changed after the call
 * @param format their format
 */
public record Body(byte[] bytes, Format format) {
    /** The format of a body; of YAML, only the first document is read. */
    public enum Format {
        JSON,
        YAML
    }

    public static Body json(byte[] bytes) {
        return new Body(bytes, Format.JSON);
    }

    public static Body json(String text) {
        return json(text.getBytes(StandardCharsets.UTF_8));
    }

    public static Body yaml(String text) {
        return new Body(text.getBytes(StandardCharsets.UTF_8), Format.YAML);
    }
}
