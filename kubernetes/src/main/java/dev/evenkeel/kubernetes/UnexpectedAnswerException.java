package dev.evenkeel.kubernetes;

/** The answer is not what an API server says: no JSON, as of a proxy or a login page, or more than is allowed. */
public final class UnexpectedAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnexpectedAnswerException(String message) {
        super(message);
    }

    UnexpectedAnswerException(String message, Throwable cause) {
        super(message, cause);
    }
}
