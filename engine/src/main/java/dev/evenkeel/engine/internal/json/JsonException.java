package dev.evenkeel.engine.internal.json;

import dev.evenkeel.engine.JsonLimits;

/**
 * Thrown when a document is not JSON or YAML, or exceeds a {@link JsonLimits limit}. The message may be shown to a
 * client.
 */
public class JsonException extends RuntimeException {
    public JsonException(String message) {
        super(message);
    }
}
