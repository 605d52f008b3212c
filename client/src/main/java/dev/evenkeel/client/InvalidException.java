package dev.evenkeel.client;

/** 422: the object breaks its schema or a rule; {@link #causes()} name the fields. */
public final class InvalidException extends ApiException {
    InvalidException(Status status) {
        super(status);
    }
}
