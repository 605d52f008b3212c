package dev.evenkeel.server;

/** The server was asked to listen where others could reach it without TLS or without authentication. */
public final class InsecureBindException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    InsecureBindException(String message) {
        super(message);
    }
}
