package dev.evenkeel.client;

/** 429: try again after the delay in the details. */
public final class TooManyRequestsException extends ApiException {
    TooManyRequestsException(Status status) {
        super(status);
    }
}
