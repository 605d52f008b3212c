package dev.evenkeel.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Thrown when the server could not be reached, or the connection broke before the end of the answer. Whether a write
 * was done is not known.
 */
public final class ConnectionException extends UncheckedIOException {
    private static final long serialVersionUID = 1L;

    ConnectionException(String message, IOException cause) {
        super(message, cause);
    }
}
