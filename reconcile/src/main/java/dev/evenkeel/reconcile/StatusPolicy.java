package dev.evenkeel.reconcile;

/** What becomes of the outcome of a reconciliation when it has changed the status, which is a change that wakes. */
public enum StatusPolicy {
    /** It stays: errors are told and tried again with growing delays, appointments hold. */
    KEEP_OUTCOME,
    /**
     * It is dropped: the watch brings the object again, at once. Only for controllers that every change of the status wakes;
     * and with a status that changes at each failure, such as a counter, failures have no delay between them.
     */
    TRUST_THE_WATCH
}
