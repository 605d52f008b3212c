package dev.evenkeel.controller.simulation;

/**
 * Something that must not be.
 *
 * @param invariant what does not hold
 * @param at virtual time since the start, in nanoseconds
 * @param message how that was seen
 */
public record Violation(String invariant, long at, String message) {
    /** In one line. */
    @Override
    public String toString() {
        return Trace.time(at) + " " + invariant + ": " + message;
    }
}
