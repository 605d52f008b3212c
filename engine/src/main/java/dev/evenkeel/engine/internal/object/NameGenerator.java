package dev.evenkeel.engine.internal.object;

import java.util.UUID;
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

    /** Generates a version 4 UUID. */
    public static String uuid(RandomGenerator random) {
        long most = (random.nextLong() & 0xFFFFFFFFFFFF0FFFL) | 0x4000L;
        long least = (random.nextLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L;
        return new UUID(most, least).toString();
    }
}
