package dev.evenkeel.client;

/** 404: the object, its namespace or its type does not exist. */
public final class NotFoundException extends ApiException {
    private static final long serialVersionUID = 1L;

    NotFoundException(Status status) {
        super(status);
    }
}
