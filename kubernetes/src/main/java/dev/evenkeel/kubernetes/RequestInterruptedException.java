package dev.evenkeel.kubernetes;

/**
 * Thrown when the thread was interrupted while it waited for an answer; its interrupt flag is still set. Whether a
 * write was done is not known.
 */
public final class RequestInterruptedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RequestInterruptedException(String message, InterruptedException cause) {
        super(message, cause);
    }
}
