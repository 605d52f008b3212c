package dev.evenkeel.client;

/** 403: the caller may not do this, or the state of the namespace or type forbids it. */
public final class ForbiddenException extends ApiException {
    ForbiddenException(Status status) {
        super(status);
    }
}
