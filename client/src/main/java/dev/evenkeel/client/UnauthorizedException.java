package dev.evenkeel.client;

/** 401: no valid credentials. */
public final class UnauthorizedException extends ApiException {
    UnauthorizedException(Status status) {
        super(status);
    }
}
