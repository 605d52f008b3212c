package dev.evenkeel.engine.internal.schema;

/**
 * Thrown when an object cannot be read as its kind, for example because the value of a label is a number. The message
 * names the field and the expected type; over HTTP this is answered with 400.
 */
public final class MalformedObjectException extends RuntimeException {
    public MalformedObjectException(String message) {
        super(message);
    }
}
