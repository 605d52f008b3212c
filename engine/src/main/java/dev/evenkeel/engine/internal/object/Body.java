package dev.evenkeel.engine.internal.object;

import java.nio.charset.StandardCharsets;

/**
 * The body of a request, as it came.
 *
 * @param bytes must not be changed after the call
 * @param format how to read them
 */
public record Body(byte[] bytes, Format format) {
    /** How a body is written. */
    public enum Format {
        /** JSON. */
        JSON,
        /** YAML; its first document counts. */
        YAML
    }

    /** A JSON body. */
    public static Body json(byte[] bytes) {
        return new Body(bytes, Format.JSON);
    }

    /** A JSON body. */
    public static Body json(String text) {
        return json(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A YAML body. */
    public static Body yaml(String text) {
        return new Body(text.getBytes(StandardCharsets.UTF_8), Format.YAML);
    }
}
