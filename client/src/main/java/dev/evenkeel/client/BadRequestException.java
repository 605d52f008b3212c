package dev.evenkeel.client;

/** 400: the request could not be understood. */
public final class BadRequestException extends ApiException {
    private static final long serialVersionUID = 1L;

    BadRequestException(Status status) {
        super(status);
    }
}
