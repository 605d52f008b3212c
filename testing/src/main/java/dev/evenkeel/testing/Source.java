package dev.evenkeel.testing;

import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Java source code. */
final class Source {
    private static final Pattern NO_WORD = Pattern.compile("[^A-Za-z0-9]+");

    private Source() {}

    /** Returns the name of a class in source that imports it, or its outermost class. */
    static String name(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return outer == null ? type.getSimpleName() : name(outer) + "." + type.getSimpleName();
    }

    /** Returns a string literal. */
    static String literal(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (Character.isISOControl(c)) {
                        quoted.append("\\u%04x".formatted((int) c));
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }

    /** Returns the name of a constant: {@code NetworkPolicy} is {@code NETWORK_POLICY}. */
    static String constant(String kind) {
        return kind.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
    }

    /** Returns the name of a class: {@code nightly-backups} is {@code NightlyBackups}. */
    static String type(String words) {
        String name = NO_WORD.splitAsStream(words)
                .filter(word -> !word.isEmpty())
                .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                .collect(Collectors.joining());
        return name.isEmpty() || !Character.isJavaIdentifierStart(name.charAt(0)) ? "The" + name : name;
    }
}
