package dev.evenkeel.controller;

/**
 * Says that trying again is of no use: the object itself is wrong. It is reconciled again only when something changes. The
 * row of failures it ends is forgotten, so that the next failure begins with a short delay.
 */
public class TerminalException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What is wrong, and what would be right. */
    public TerminalException(String message) {
        super(message);
    }

    /** What is wrong, what would be right, and where it showed. */
    public TerminalException(String message, Throwable cause) {
        super(message, cause);
    }
}
