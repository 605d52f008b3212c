package dev.evenkeel.client;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Thrown by the client of a server when the server could not be reached, or the connection broke before the end of the
 * answer. Whether a write was done is not known.
 */
public final class ConnectionException extends UncheckedIOException {
    /** Creates an exception; for clients. */
    public ConnectionException(String message, IOException cause) {
        super(message, cause);
    }
}
