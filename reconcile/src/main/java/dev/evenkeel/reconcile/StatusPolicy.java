package dev.evenkeel.reconcile;

/** Decides about the outcome of a reconciliation that has changed the status, which is a change that triggers. */
public enum StatusPolicy {
    /** Keeps it: errors are reported and retried with growing delays, requeue times hold. */
    KEEP_OUTCOME,
    /**
     * Drops it: the watch triggers the object again, at once. Only for controllers that every change of the status
     * triggers; with a status that changes at each failure, such as a counter, failures have no delay between them.
     */
    TRUST_THE_WATCH
}
