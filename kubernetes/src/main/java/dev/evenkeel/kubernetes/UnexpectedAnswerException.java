package dev.evenkeel.kubernetes;

/**
 * Thrown when a response is not one of an API server: not JSON, as of a proxy or a login page, or larger than allowed.
 */
public final class UnexpectedAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnexpectedAnswerException(String message) {
        super(message);
    }

    UnexpectedAnswerException(String message, Throwable cause) {
        super(message, cause);
    }
}
