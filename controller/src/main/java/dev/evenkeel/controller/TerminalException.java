package dev.evenkeel.controller;

/**
 * Thrown when a retry is useless, since the object itself is wrong. It is reconciled again only when something changes.
 * Its row of failures is forgotten, so that the next failure begins with a short delay.
 */
public class TerminalException extends RuntimeException {
    /**
     * Creates an exception.
     *
     * @param message what is wrong, and what would be right
     */
    public TerminalException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what is wrong, and what would be right
     */
    public TerminalException(String message, Throwable cause) {
        super(message, cause);
    }
}
