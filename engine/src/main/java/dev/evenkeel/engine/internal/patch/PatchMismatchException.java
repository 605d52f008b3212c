package dev.evenkeel.engine.internal.patch;

/** Thrown when a JSON Patch does not fit the object. */
public final class PatchMismatchException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean test;

    PatchMismatchException(String message) {
        this(message, false);
    }

    PatchMismatchException(String message, boolean test) {
        super(message, null, false, false);
        this.test = test;
    }

    /** Returns true if an operation {@code test} found another value. */
    public boolean isTest() {
        return test;
    }
}
