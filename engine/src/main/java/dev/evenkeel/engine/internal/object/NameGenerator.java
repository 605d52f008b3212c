package dev.evenkeel.engine.internal.object;

import java.util.random.RandomGenerator;

/** Makes names of {@code generateName}: the prefix, cut to 58 characters, and five random ones. */
public final class NameGenerator {
    /** How often a create is tried with a new name before it is refused. */
    public static final int ATTEMPTS = 8;

    /** No vowels and nothing that looks alike, so that no words appear. */
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

    private static final int PREFIX = 58;
    private static final int SUFFIX = 5;

    private NameGenerator() {}

    public static String name(String prefix, RandomGenerator random) {
        StringBuilder name = new StringBuilder(prefix.length() > PREFIX ? prefix.substring(0, PREFIX) : prefix);
        for (int i = 0; i < SUFFIX; i++) {
            name.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return name.toString();
    }
}
