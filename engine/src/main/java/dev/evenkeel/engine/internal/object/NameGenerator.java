package dev.evenkeel.engine.internal.object;

import java.util.random.RandomGenerator;

/** Generates names from {@code generateName}: the prefix, cut to 58 characters, and five random ones. */
public final class NameGenerator {
    /** The number of names that a create tries before it is refused. */
    public static final int ATTEMPTS = 8;

    /** Without vowels and similar characters, so that no words appear. */
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
