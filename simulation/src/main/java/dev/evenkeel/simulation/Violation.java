package dev.evenkeel.simulation;

/**
 * A violated invariant.
 *
 * @param invariant what does not hold
 * @param at virtual time since the start, in nanoseconds
 * @param message how it is violated
 */
public record Violation(String invariant, long at, String message) {
    /** In one line. */
    @Override
    public String toString() {
        return Trace.time(at) + " " + invariant + ": " + message;
    }
}
