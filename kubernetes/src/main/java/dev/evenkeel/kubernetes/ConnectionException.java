package dev.evenkeel.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The server could not be reached, or the connection broke before all was said. Whether a write was done is not known.
 */
public final class ConnectionException extends UncheckedIOException {
    private static final long serialVersionUID = 1L;

    ConnectionException(String message, IOException cause) {
        super(message, cause);
    }
}
