package dev.evenkeel.client;

/**
 * Thrown by the client of a server when the thread was interrupted while it waited for an answer; its interrupt flag is
 * still set. Whether a write was done is not known.
 */
public final class RequestInterruptedException extends RuntimeException {
    /** Creates an exception; for clients. */
    public RequestInterruptedException(String message, InterruptedException cause) {
        super(message, cause);
    }
}
