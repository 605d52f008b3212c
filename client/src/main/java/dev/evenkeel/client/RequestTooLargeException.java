package dev.evenkeel.client;

/** 413: the body is larger than the limit. */
public final class RequestTooLargeException extends ApiException {
    RequestTooLargeException(Status status) {
        super(status);
    }
}
