package dev.evenkeel.load.internal.verdict;

/**
 * Confidence from repetitions without an exception: Laplace's rule of succession.
 *
 * <p>After n repetitions that all kept a limit, the next keeps it with a probability of (n + 1) / (n + 2), if every rate of
 * exceptions was equally likely before. An exception needs no rule: the limit was exceeded.
 */
final class Succession {
    private Succession() {}

    static double confidence(long repetitions) {
        return (repetitions + 1.0) / (repetitions + 2.0);
    }

    /** Returns the number of further repetitions for a confidence. */
    static long missing(long repetitions, double level) {
        long needed = (long) Math.ceil((2 * level - 1) / (1 - level) - 1e-9);
        return Math.max(0, needed - repetitions);
    }
}
