package dev.evenkeel.engine.internal.cel;

/**
 * An error of evaluation. It is a value, since {@code ||}, {@code &&} and the macros over lists may succeed without the
 * operand that failed.
 *
 * @param text the message
 */
record Problem(String text) {
    static final Problem NO_SUCH_OVERLOAD = new Problem("no such overload");

    static Problem conversion(String from, String to) {
        return new Problem("type conversion error from '" + from + "' to '" + to + "'");
    }
}
