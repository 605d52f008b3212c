package dev.evenkeel.testing.convergence;

/**
 * Thrown out of the calls of a process that is dead, so that what is on the stack comes to its end. An error and not an
 * exception, for nobody recovers from it.
 */
final class Crashed extends Error {
    private static final long serialVersionUID = 1L;

    Crashed() {
        super("the process crashed, as the schedule has it", null, false, false);
    }
}
