package dev.evenkeel.simulation.internal;

/**
 * Thrown out of the calls of a dead process, in order to end its frames, which are still on the stack of the single
 * thread. An error and not an exception, since no code recovers from it.
 */
public final class ProcessCrashed extends Error {
    /** Creates the error of a process. */
    public ProcessCrashed(String process) {
        super(process + " crashed", null, false, false);
    }
}
