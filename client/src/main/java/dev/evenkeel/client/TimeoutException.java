package dev.evenkeel.client;

/** 504: the server could not answer in time. Try again later. */
public final class TimeoutException extends ApiException {
    TimeoutException(Status status) {
        super(status);
    }
}
