package dev.evenkeel.controller;

/**
 * Thrown when a retry is useless, because the object itself is wrong. The object is reconciled again only after a change.
 * Its number of consecutive failures is reset, so that the next failure is retried after the first delay.
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
