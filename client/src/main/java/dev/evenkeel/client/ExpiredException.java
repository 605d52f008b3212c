package dev.evenkeel.client;

/** 410: the resourceVersion or continue token is older than the history kept. List again. */
public final class ExpiredException extends ApiException {
    private static final long serialVersionUID = 1L;

    ExpiredException(Status status) {
        super(status);
    }
}
