package dev.evenkeel.engine.spi;

import org.jspecify.annotations.Nullable;

/** Thrown when a store cannot do its work, for reasons of its own such as a full disk. */
public class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what went wrong, and what to do about it
     */
    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
