package dev.evenkeel.engine.internal.schema;

/**
 * Thrown when an object cannot be read as its kind, for example because the value of a label is a number. The message
 * names the field and the expected type; over HTTP this is answered with 400.
 */
public final class MalformedObjectException extends RuntimeException {
    private final String ofConversion;

    public MalformedObjectException(String message) {
        this(message, message);
    }

    /**
     * Creates an exception with two messages.
     *
     * @param message upstream's, where it decodes JSON
     * @param ofConversion upstream's, where it converts a tree instead, as it does for strategic merge patches
     */
    public MalformedObjectException(String message, String ofConversion) {
        super(message);
        this.ofConversion = ofConversion;
    }

    /** Returns the message of upstream where it converts a tree. */
    public String ofConversion() {
        return ofConversion;
    }
}
