package dev.evenkeel.engine.internal.cel;

/** A part of a compiled expression. */
@FunctionalInterface
interface Step {
    /** Evaluates to a value or a {@link Problem}. */
    Object in(Frame frame);
}
