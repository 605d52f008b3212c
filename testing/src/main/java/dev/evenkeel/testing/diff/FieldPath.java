package dev.evenkeel.testing.diff;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A path in an object: {@code spec.template.spec.containers[name=app].env[0].value}.
 *
 * <table>
 * <caption>Steps</caption>
 * <tr><td>{@code spec}</td><td>the field of that name</td></tr>
 * <tr><td>{@code [app.kubernetes.io/name]}, {@code ['a=b']}</td><td>a field whose name is not a word; with quotes when
 * it
 *     looks like another step</td></tr>
 * <tr><td>{@code [2]}</td><td>the entry of a list, from 0</td></tr>
 * <tr><td>{@code [name=app]}, {@code [port=80,protocol=UDP]}</td><td>the entry of a list by its key; numbers and
 *     booleans without quotes</td></tr>
 * <tr><td>{@code [+]}, {@code [+name=app]}</td><td>a new entry at the end, of that key</td></tr>
 * <tr><td>{@code *}, {@code [*]}</td><td>in patterns: any field, any entry</td></tr>
 * <tr><td>{@code **}</td><td>in patterns: any number of steps, or none</td></tr>
 * </table>
 *
 * @param steps from the object inwards
 */
public record FieldPath(List<Step> steps) {
    private static final Pattern WORD = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$-]*");
    private static final Pattern INTEGER = Pattern.compile("0|-?[1-9][0-9]{0,17}");
    private static final Pattern BARE = Pattern.compile("[^\\s=,'\"\\[\\]+*\\\\][^=,'\"\\[\\]\\\\]*");

    /** One step of a path. */
    public sealed interface Step {}

    /** A field of an object or a key of a map. */
    public record Field(String name) implements Step {
        @Override
        public String toString() {
            return WORD.matcher(name).matches() ? name : "[" + quoted(name, false) + "]";
        }
    }

    /** An entry of a list by its index, from 0. */
    public record Index(int index) implements Step {
        @Override
        public String toString() {
            return "[" + index + "]";
        }
    }

    /**
     * An entry of a list by its key.
     *
     * @param key fields and their values: strings, integers and booleans
     */
    public record Entry(Map<String, Object> key) implements Step {
        /** Copies the key, keeping its order. */
        public Entry {
            key = Collections.unmodifiableMap(new LinkedHashMap<>(key));
        }

        /** Returns whether an entry of a list, as a tree, has this key. The default of a protocol is TCP. */
        public boolean matches(@Nullable Object entry) {
            return entry instanceof Map<?, ?> map
                    && key.entrySet().stream()
                            .allMatch(field -> field.getValue().toString().equals(text(map, field.getKey())));
        }

        private static String text(Map<?, ?> entry, String field) {
            Object value = entry.get(field);
            return value != null ? value.toString() : field.equals("protocol") ? "TCP" : "";
        }

        @Override
        public String toString() {
            return "[" + keyText(key) + "]";
        }
    }

    /**
     * A new entry at the end of a list.
     *
     * @param key initial fields of the entry, as for {@link Entry}; may be empty
     */
    public record Append(Map<String, Object> key) implements Step {
        /** Copies the key, keeping its order. */
        public Append {
            key = Collections.unmodifiableMap(new LinkedHashMap<>(key));
        }

        @Override
        public String toString() {
            return "[+" + keyText(key) + "]";
        }
    }

    /** Any field or entry. */
    public record Any() implements Step {
        @Override
        public String toString() {
            return "*";
        }
    }

    /** Any number of steps. */
    public record Deep() implements Step {
        @Override
        public String toString() {
            return "**";
        }
    }

    /** Copies the steps. */
    public FieldPath {
        steps = List.copyOf(steps);
    }

    /** Returns the path of the object itself. */
    public static FieldPath root() {
        return new FieldPath(List.of());
    }

    /**
     * Parses a path.
     *
     * @throws IllegalArgumentException when it is not valid; the message states what was expected where
     */
    public static FieldPath parse(String text) {
        return new Parser(text).path();
    }

    /** Returns this path with another step. */
    public FieldPath then(Step step) {
        return new FieldPath(Stream.concat(steps.stream(), Stream.of(step)).toList());
    }

    /** Returns the text that {@link #parse} reads as this path. */
    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        for (Step step : steps) {
            String text = step.toString();
            out.append(out.isEmpty() || text.startsWith("[") ? "" : ".").append(text);
        }
        return out.toString();
    }

    private static String keyText(Map<String, Object> key) {
        StringJoiner fields = new StringJoiner(",");
        key.forEach((name, value) -> fields.add(quoted(name, false) + "="
                + (value instanceof String string ? quoted(string, true) : value.toString())));
        return fields.toString();
    }

    private static String quoted(String text, boolean value) {
        boolean bare = BARE.matcher(text).matches()
                && text.strip().equals(text)
                && !INTEGER.matcher(text).matches()
                && !(value && (text.equals("true") || text.equals("false")));
        return bare ? text : "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }

    private static final class Parser {
        private final String text;
        private final List<Step> steps = new ArrayList<>();
        private int at;

        Parser(String text) {
            this.text = text;
        }

        FieldPath path() {
            while (at < text.length()) {
                if (skip('[')) {
                    steps.add(bracket());
                    expect(']');
                } else {
                    if (!steps.isEmpty()) {
                        expect('.');
                    }
                    steps.add(word());
                }
            }
            return new FieldPath(steps);
        }

        private Step word() {
            String word = until(".[]=,'\"");
            return switch (word) {
                case "" -> {
                    throw wrong("the name of a field");
                }
                case "*" -> new Any();
                case "**" -> new Deep();
                default -> new Field(word);
            };
        }

        private Step bracket() {
            if (skip('*')) {
                return new Any();
            }
            if (skip('+')) {
                return new Append(peek(']') ? Map.of() : key(name()));
            }
            boolean isQuoted = isQuoted();
            String name = name();
            if (peek('=')) {
                return new Entry(key(name));
            }
            if (!isQuoted && INTEGER.matcher(name).matches()) {
                if (name.startsWith("-") || name.length() > 9) {
                    throw wrong("an index from 0 before this");
                }
                return new Index(Integer.parseInt(name));
            }
            return new Field(name);
        }

        private Map<String, Object> key(String first) {
            Map<String, Object> key = new LinkedHashMap<>();
            String name = first;
            while (true) {
                expect('=');
                key.put(name, isQuoted() ? value() : scalar(value()));
                if (!skip(',')) {
                    return key;
                }
                name = name();
            }
        }

        private static Object scalar(String value) {
            if (value.equals("true") || value.equals("false")) {
                return Boolean.valueOf(value);
            }
            return INTEGER.matcher(value).matches() ? (Object) Long.valueOf(value) : value;
        }

        private String name() {
            String name = value();
            if (name.isEmpty()) {
                throw wrong("the name of a field, an index, or +");
            }
            return name;
        }

        private String value() {
            return isQuoted() ? quotedText(text.charAt(at)) : until("=,[]'\"");
        }

        private String until(String ends) {
            int begin = at;
            while (at < text.length() && ends.indexOf(text.charAt(at)) < 0) {
                at++;
            }
            return text.substring(begin, at);
        }

        private String quotedText(char quote) {
            StringBuilder out = new StringBuilder();
            for (at++; at < text.length(); at++) {
                char c = text.charAt(at);
                if (c == quote) {
                    at++;
                    return out.toString();
                }
                if (c == '\\' && at + 1 < text.length()) {
                    c = text.charAt(++at);
                }
                out.append(c);
            }
            throw wrong("the closing " + quote);
        }

        private boolean peek(char c) {
            return at < text.length() && text.charAt(at) == c;
        }

        private boolean isQuoted() {
            return peek('\'') || peek('"');
        }

        private boolean skip(char c) {
            boolean there = peek(c);
            at += there ? 1 : 0;
            return there;
        }

        private void expect(char c) {
            if (!skip(c)) {
                throw wrong("'" + c + "'");
            }
            if (c == '.' && at == text.length()) {
                throw wrong("the name of a field");
            }
        }

        private IllegalArgumentException wrong(String expected) {
            return new IllegalArgumentException("\"" + text + "\" is not a path of a field: at position " + at
                    + " there should be " + expected
                    + "; write a path as in spec.containers[name=app].env[0].value");
        }
    }
}
