package dev.evenkeel.testing.internal;

import dev.evenkeel.engine.internal.json.Json;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Names and literals in generated Java source. */
public final class Source {
    private static final Pattern NO_WORD = Pattern.compile("[^A-Za-z0-9]+");

    private Source() {}

    /** Returns the name of a class in source that imports it, or its outermost class. */
    public static String name(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return outer == null ? type.getSimpleName() : name(outer) + "." + type.getSimpleName();
    }

    /** Returns a string literal; JSON escapes as Java does. */
    public static String literal(String text) {
        return Json.text(text);
    }

    /** Returns the name of a constant: {@code NetworkPolicy} is {@code NETWORK_POLICY}. */
    public static String constant(String kind) {
        return kind.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
    }

    /** Returns the name of a class: {@code nightly-backups} is {@code NightlyBackups}. */
    public static String type(String words) {
        String name = NO_WORD.splitAsStream(words)
                .filter(word -> !word.isEmpty())
                .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                .collect(Collectors.joining());
        return name.isEmpty() || !Character.isJavaIdentifierStart(name.charAt(0)) ? "The" + name : name;
    }
}
