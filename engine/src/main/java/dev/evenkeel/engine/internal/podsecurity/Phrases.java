package dev.evenkeel.engine.internal.podsecurity;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Parts of messages. */
final class Phrases {
    private Phrases() {}

    /** Returns one of two forms of a word. */
    static String plural(Collection<?> counted, String one, String many) {
        return counted.size() == 1 ? one : many;
    }

    /** Returns a word that takes an s in the plural. */
    static String plural(Collection<?> counted, String word) {
        return plural(counted, word, word + "s");
    }

    /** Returns texts in quotes, with commas. */
    static String quoted(Collection<String> texts) {
        return texts.stream().map(text -> '"' + text + '"').collect(Collectors.joining(", "));
    }

    /** Returns the names of containers, and that they are containers. */
    static String containers(Collection<String> names) {
        return plural(names, "container") + " " + quoted(names);
    }

    /** Returns a value, if it is a text that is not allowed. */
    static List<String> other(@Nullable Object value, Collection<String> allowed) {
        return value instanceof String text && !allowed.contains(text) ? List.of(text) : List.of();
    }

    /** Returns those who set something. */
    static String setters(Collection<String> setters) {
        return String.join(" and ", setters);
    }
}
