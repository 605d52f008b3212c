package dev.evenkeel.client;

/** 409: an object of that name already exists. Read it, or create with another name. */
public final class AlreadyExistsException extends ApiException {
    AlreadyExistsException(Status status) {
        super(status);
    }
}
