package dev.evenkeel.controller.simulation;

/**
 * Thrown out of the calls of a process that is dead: so that its frames, which are still on the stack of the one thread,
 * come to their end. An error and not an exception, for nobody recovers from it.
 */
public final class Crashed extends Error {
    private static final long serialVersionUID = 1L;

    Crashed(String process) {
        super(process + " crashed", null, false, false);
    }
}
