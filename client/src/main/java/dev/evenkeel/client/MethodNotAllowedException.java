package dev.evenkeel.client;

/** 405: the resource does not support this verb. */
public final class MethodNotAllowedException extends ApiException {
    private static final long serialVersionUID = 1L;

    MethodNotAllowedException(Status status) {
        super(status);
    }
}
