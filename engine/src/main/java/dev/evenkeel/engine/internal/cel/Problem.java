package dev.evenkeel.engine.internal.cel;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * An error of evaluation. It is a value, since {@code ||}, {@code &&} and the macros over lists may succeed without the
 * operand that failed.
 *
 * @param text the message
 */
record Problem(String text) {
    static final Problem NO_SUCH_OVERLOAD = new Problem("no such overload");

    /** Returns a value if there is one, otherwise a problem. */
    static Object unless(Optional<?> value, Supplier<Problem> problem) {
        return value.isPresent() ? value.get() : problem.get();
    }

    static Problem conversion(String from, String to) {
        return new Problem("type conversion error from '" + from + "' to '" + to + "'");
    }
}
