package dev.evenkeel.testing.call;

import java.util.function.Predicate;

/** A condition with a description. */
record Described<T>(String words, Predicate<? super T> condition) implements Predicate<T> {
    @Override
    public boolean test(T value) {
        return condition.test(value);
    }

    /** Returns the description of a condition, or a default when it has none. */
    static String words(Predicate<?> condition, String otherwise) {
        return condition instanceof Described<?> described ? described.words() : otherwise;
    }

    @Override
    public String toString() {
        return words;
    }
}
