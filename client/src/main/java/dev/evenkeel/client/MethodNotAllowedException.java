package dev.evenkeel.client;

/** 405: the resource does not support this verb. */
public final class MethodNotAllowedException extends ApiException {
    MethodNotAllowedException(Status status) {
        super(status);
    }
}
