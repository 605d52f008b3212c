package dev.evenkeel.load;

/** A load that can't be run; the message says what to change. */
public final class LoadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception. */
    public LoadException(String message) {
        super(message);
    }
}
