package dev.evenkeel.engine.spi;

import org.jspecify.annotations.Nullable;

/** Thrown when a store cannot do its work, for reasons of its own such as a full disk. */
public class StoreException extends RuntimeException {
    /**
     * Creates the exception.
     *
     * @param message what went wrong, and what to do about it
     */
    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
