package dev.evenkeel.engine.internal.apply;

/**
 * Thrown when a tree, or a field set, does not fit its schema. Never leaves this package; the message is upstream's.
 */
final class UntypedException extends RuntimeException {
    UntypedException(String message) {
        super(message, null, false, false);
    }
}
