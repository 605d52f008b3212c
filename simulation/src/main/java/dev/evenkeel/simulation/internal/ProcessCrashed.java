package dev.evenkeel.simulation.internal;

/**
 * Thrown out of the calls of a process that is dead, so that its frames, which are still on the stack of the one thread,
 * end. An error and not an exception, since no code recovers from it.
 */
public final class ProcessCrashed extends Error {
    private static final long serialVersionUID = 1L;

    /** Creates the error of a process. */
    public ProcessCrashed(String process) {
        super(process + " crashed", null, false, false);
    }
}
