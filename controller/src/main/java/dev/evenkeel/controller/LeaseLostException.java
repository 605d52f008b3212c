package dev.evenkeel.controller;

/**
 * Says that a reconciliation must not write any more: another process may have taken the controller's place, or the
 * deadline of the reconciliation is over. A reconciler lets it pass.
 */
public final class LeaseLostException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public LeaseLostException(String message) {
        super(message);
    }
}
