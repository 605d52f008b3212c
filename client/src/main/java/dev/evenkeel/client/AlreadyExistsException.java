package dev.evenkeel.client;

/** 409: an object of that name already exists. Read it, or create with another name. */
public final class AlreadyExistsException extends ApiException {
    private static final long serialVersionUID = 1L;

    AlreadyExistsException(Status status) {
        super(status);
    }
}
