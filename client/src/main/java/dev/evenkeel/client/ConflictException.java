package dev.evenkeel.client;

/** 409: the object changed since it was read, or another manager owns a field. Read it again and retry, or force. */
public final class ConflictException extends ApiException {
    ConflictException(Status status) {
        super(status);
    }
}
