package dev.evenkeel.testing;

import dev.evenkeel.engine.internal.json.Json;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

final class Source {
    private static final Pattern NO_WORD = Pattern.compile("[^A-Za-z0-9]+");

    private Source() {}

    /** Returns the name of a class in source that imports it, or its outermost class. */
    static String name(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return outer == null ? type.getSimpleName() : name(outer) + "." + type.getSimpleName();
    }

    /** Returns a string literal; JSON escapes as Java does. */
    static String literal(String text) {
        return Json.text(text);
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
