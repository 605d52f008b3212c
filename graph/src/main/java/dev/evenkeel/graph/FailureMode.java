package dev.evenkeel.graph;

/** The consequence of an exception in a function that was passed to an operator. */
public enum FailureMode {
    /** The step is rolled back: no table changes, and {@link Graph#transact} throws a {@link GraphException}. */
    ROLL_BACK,

    /**
     * The row of that key is absent from the operator's table, as if the function had no result, until a later change
     * of its inputs; {@link Table#failures()} has the exception.
     */
    FAIL_KEY
}
