package dev.evenkeel.engine.spi;

import org.jspecify.annotations.Nullable;

/** Thrown when a store cannot do its work, for reasons of its own such as a full disk. */
public class StoreException extends RuntimeException {
    private final Reason reason;

    /** The kind of a failure: what a caller may do next. */
    public enum Reason {
        /** The store cannot work now. Nothing was written; the same may succeed later. */
        UNAVAILABLE,
        /** The store did not answer: the commit may have been made, or may still be made. */
        UNKNOWN,
        /** The commit is larger than the store allows. Nothing was written; the same will not succeed. */
        TOO_LARGE
    }

    /**
     * Creates an exception with reason {@link Reason#UNAVAILABLE}.
     *
     * @param message what went wrong, and what to do about it
     */
    public StoreException(String message, @Nullable Throwable cause) {
        this(Reason.UNAVAILABLE, message, cause);
    }

    /**
     * Creates an exception.
     *
     * @param message what went wrong, and what to do about it
     */
    public StoreException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Returns the kind of the failure. */
    public Reason reason() {
        return reason;
    }
}
