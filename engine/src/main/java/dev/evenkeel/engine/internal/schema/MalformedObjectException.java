package dev.evenkeel.engine.internal.schema;

import java.util.List;

/**
 * Thrown when an object cannot be read as its kind, for example because the value of a label is a number. The message
 * names the field and the expected type; over HTTP this is answered with 400.
 */
public final class MalformedObjectException extends RuntimeException {
    private final String ofConversion;
    private final transient List<Object> number;

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
        this(message, ofConversion, List.of());
    }

    /**
     * Creates an exception that shows a number.
     *
     * @param number the path of the number, of keys and indexes; empty if the message does not show one
     */
    public MalformedObjectException(String message, String ofConversion, List<Object> number) {
        super(message);
        this.ofConversion = ofConversion;
        this.number = List.copyOf(number);
    }

    /**
     * Returns the path of the number that the message shows as {@code number 1000}, which may be written as {@code 1e3}
     * in the document; empty without one.
     */
    public List<Object> number() {
        return number;
    }

    /** Returns the message of upstream where it converts a tree. */
    public String ofConversion() {
        return ofConversion;
    }
}
