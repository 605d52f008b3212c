package dev.evenkeel.client;

/** 410: the resourceVersion or continue token is older than the history kept. List again. */
public final class ExpiredException extends ApiException {
    ExpiredException(Status status) {
        super(status);
    }
}
