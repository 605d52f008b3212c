package dev.evenkeel.server;

import java.time.Duration;

/**
 * When the file of an audit log is renamed, and how long renamed files are kept.
 *
 * @param maxBytes size of the file at which it is renamed; 0 to never rename it
 * @param maxBackups number of renamed files that are kept; 0 for all
 * @param maxAge time for which renamed files are kept; zero for no limit
 */
public record AuditRotation(long maxBytes, int maxBackups, Duration maxAge) {
    /** Never renames the file. */
    public static final AuditRotation NONE = new AuditRotation(0, 0, Duration.ZERO);

    /** @throws IllegalArgumentException when one is negative */
    public AuditRotation {
        if (maxBytes < 0 || maxBackups < 0 || maxAge.isNegative()) {
            throw new IllegalArgumentException("must not be negative: " + maxBytes + ", " + maxBackups + ", " + maxAge);
        }
    }
}
