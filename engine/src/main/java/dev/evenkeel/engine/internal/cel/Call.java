package dev.evenkeel.engine.internal.cel;

/**
 * A function of CEL. It maps arguments, with the target of a member function first, to a value or a {@link Problem}.
 */
@FunctionalInterface
interface Call {
    /** Calls the function; no argument is a {@link Problem}. */
    Object of(Object[] arguments);
}
