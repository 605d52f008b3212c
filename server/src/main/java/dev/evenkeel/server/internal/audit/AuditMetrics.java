package dev.evenkeel.server.internal.audit;

/** Counts what happens to the events of the audit log. */
public interface AuditMetrics {
    /** Counts an event of the audit log. */
    void auditEvent();

    /** Counts a request by its level in the audit policy. */
    void auditLevel(String level);

    /** Counts events that could not be written to the audit log. */
    void auditFailed(long events);
}
