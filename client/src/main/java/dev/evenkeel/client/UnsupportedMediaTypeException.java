package dev.evenkeel.client;

/** 415: the body is in a format that this resource does not accept. */
public final class UnsupportedMediaTypeException extends ApiException {
    UnsupportedMediaTypeException(Status status) {
        super(status);
    }
}
