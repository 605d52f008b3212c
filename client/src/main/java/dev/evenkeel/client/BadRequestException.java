package dev.evenkeel.client;

/** 400: the request could not be understood. */
public final class BadRequestException extends ApiException {
    BadRequestException(Status status) {
        super(status);
    }
}
