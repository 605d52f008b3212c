package dev.evenkeel.controller;

/**
 * Thrown by a write of a reconciliation that must not write any more: another process may have become active, or the
 * deadline has passed. A reconciler should not catch it.
 */
public final class LeaseLostException extends RuntimeException {
    public LeaseLostException(String message) {
        super(message);
    }
}
