package dev.evenkeel.engine.internal.json;

import dev.evenkeel.engine.JsonLimits;

/** A document is no JSON or YAML, or exceeds a {@link JsonLimits limit}. The message is fit for a client. */
public final class JsonException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With a message for the one who sent the document. */
    public JsonException(String message) {
        super(message);
    }
}
