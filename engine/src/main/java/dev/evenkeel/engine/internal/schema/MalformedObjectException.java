package dev.evenkeel.engine.internal.schema;

/**
 * An object cannot be read as what it claims to be, such as a label whose value is a number. The message names the field
 * and what it must be; over REST this is answered with 400.
 */
public final class MalformedObjectException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With what is wrong. */
    public MalformedObjectException(String message) {
        super(message);
    }
}
