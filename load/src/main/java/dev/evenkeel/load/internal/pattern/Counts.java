package dev.evenkeel.load.internal.pattern;

/** Checks of parameters. */
final class Counts {
    private Counts() {}

    static void positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be positive: " + value);
        }
    }
}
