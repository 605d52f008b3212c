package dev.evenkeel.client;

/** 401: no valid credentials. */
public final class UnauthorizedException extends ApiException {
    private static final long serialVersionUID = 1L;

    UnauthorizedException(Status status) {
        super(status);
    }
}
