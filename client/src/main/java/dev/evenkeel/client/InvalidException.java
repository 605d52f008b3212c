package dev.evenkeel.client;

/** 422: the object breaks its schema or a rule; {@link #causes()} name the fields. */
public final class InvalidException extends ApiException {
    private static final long serialVersionUID = 1L;

    InvalidException(Status status) {
        super(status);
    }
}
