package dev.evenkeel.client;

/** 429: try again after the delay in the details. */
public final class TooManyRequestsException extends ApiException {
    private static final long serialVersionUID = 1L;

    TooManyRequestsException(Status status) {
        super(status);
    }
}
