package dev.evenkeel.engine.internal.json;

import static dev.evenkeel.engine.internal.json.NaturalOrder.span;

import dev.evenkeel.engine.internal.json.JsonPath.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses {@link JsonPath}s. */
final class JsonPathParser {
    private static final int MAX_LENGTH = 10_000;

    private final String text;
    private final boolean names;
    private final List<Step> steps = new ArrayList<>();
    private int next;

    JsonPathParser(String text) {
        this(text, false);
    }

    /**
     * Creates a parser.
     *
     * @param names whether the path may have names without a dot before them, as the first in {@code spec.replicas};
     *     upstream reads those, but finds nothing at such a path
     */
    JsonPathParser(String text, boolean names) {
        this.text = text;
        this.names = names;
    }

    List<Step> parse() {
        if (text.length() > MAX_LENGTH) {
            throw new JsonException("path is longer than " + MAX_LENGTH + " characters");
        }
        while (next < text.length()) {
            if (text.startsWith("[?(", next)) {
                filter();
            } else if (text.startsWith("..", next)) {
                recursive();
            } else {
                step(text.charAt(next++));
            }
        }
        return steps;
    }

    private void step(char c) {
        switch (c) {
            case ' ', '@', '$' -> {
                // the current value
            }
            case '[' -> array();
            case '"', '\'' -> steps.add(new JsonPath.Constant(quoted(c)));
            case '.' -> field();
            default -> {
                next--;
                if (c == '+' || c == '-' || isDigit(c)) {
                    number();
                } else if (c == '_' || Character.isLetterOrDigit(c)) {
                    word();
                } else {
                    int found = text.codePointAt(next);
                    throw new JsonException(String.format("unrecognized character in action: U+%04X '", found)
                            + Character.toString(found)
                            + "'");
                }
            }
        }
    }

    private void recursive() {
        if (!steps.isEmpty() && steps.getLast() instanceof JsonPath.Recursive) {
            throw new JsonException("invalid multiple recursive descent");
        }
        next += 2;
        steps.add(new JsonPath.Recursive());
        if (next < text.length() && (Character.isLetterOrDigit(text.charAt(next)) || text.charAt(next) == '_')) {
            field();
        }
    }

    private void field() {
        StringBuilder name = new StringBuilder();
        boolean wildcard = text.startsWith("*", next);
        while (next < text.length() && !isTerminator(text.charAt(next))) {
            if (text.charAt(next) == '\\') {
                next++;
            }
            if (next < text.length()) {
                name.append(text.charAt(next++));
            }
        }
        steps.add(wildcard && name.length() == 1 ? new JsonPath.Wildcard() : new JsonPath.Field(name.toString()));
    }

    private void number() {
        int start = next++;
        next = span(text, next, c -> isDigit(c) || c == '.');
        String number = text.substring(start, next);
        try {
            steps.add(new JsonPath.Constant(
                    number.indexOf('.') < 0 ? (Object) Long.valueOf(number) : Double.valueOf(number)));
        } catch (NumberFormatException e) {
            throw new JsonException("cannot parse number " + number);
        }
    }

    private void word() {
        int start = next;
        next = span(text, start, c -> !isTerminator(c));
        String word = text.substring(start, next);
        if (word.equals("true") || word.equals("false")) {
            steps.add(new JsonPath.Constant(word.equals("true")));
        } else if (!names) {
            throw new JsonException("unrecognized identifier " + word);
        }
    }

    private String quoted(char quote) {
        StringBuilder value = new StringBuilder();
        while (next < text.length()) {
            char c = text.charAt(next++);
            if (c == quote) {
                return value.toString();
            }
            if (c == '\\' && next < text.length()) {
                char escaped = text.charAt(next++);
                switch (escaped) {
                    case 'n' -> value.append('\n');
                    case 't' -> value.append('\t');
                    case 'r' -> value.append('\r');
                    case '\\', '\'', '"' -> value.append(escaped);
                    default -> throw new JsonException("unquote string: invalid syntax");
                }
            } else {
                value.append(c);
            }
        }
        throw new JsonException("unterminated quoted string");
    }

    private void array() {
        int end = text.indexOf(']', next);
        if (end < 0) {
            throw new JsonException("unterminated array");
        }
        String content = text.substring(next, end);
        next = end + 1;
        if (content.indexOf(',') < 0) {
            steps.addAll(selection(content));
            return;
        }
        List<List<Step>> paths = Arrays.stream(content.split(",", -1))
                .map(part -> selection(part.strip()))
                .toList();
        steps.add(new JsonPath.Union(paths));
    }

    private static List<Step> selection(String content) {
        if (content.length() > 1 && content.startsWith("'") && content.indexOf('\'', 1) == content.length() - 1) {
            return new JsonPathParser("." + content.substring(1, content.length() - 1)).parse();
        }
        return List.of(slice(content.equals("*") ? ":" : content));
    }

    private static Step slice(String content) {
        int first = content.indexOf(':');
        int second = first < 0 ? -1 : content.indexOf(':', first + 1);
        String from = first < 0 ? content : content.substring(0, first);
        String to = first < 0 ? "" : content.substring(first + 1, second < 0 ? content.length() : second);
        Integer step = second < 0 ? null : index(content.substring(second + 1), content);
        if (first < 0 && from.isEmpty()) {
            // upstream treats a missing index as the first
            return new JsonPath.Slice(0, null, true, 1);
        }
        if (step != null && step <= 0) {
            throw new JsonException("step must be > 0");
        }
        return new JsonPath.Slice(index(from, content), index(to, content), first < 0, step == null ? 1 : step);
    }

    private static @Nullable Integer index(String number, String content) {
        if (number.isEmpty()) {
            return null;
        }
        int start = number.startsWith("-") ? 1 : 0;
        if (number.length() - start > 9 || !number.substring(start).chars().allMatch(JsonPathParser::isDigit)) {
            throw new JsonException("invalid array index " + content);
        }
        if (number.length() == start) {
            throw new JsonException("array index " + number + " is not a number");
        }
        return Integer.valueOf(number);
    }

    private void filter() {
        next += 3;
        int start = next;
        char quote = 0;
        while (next < text.length() && (quote != 0 || text.charAt(next) != ')')) {
            char c = text.charAt(next);
            if (quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
            } else if (c == quote && text.charAt(next - 1) != '\\') {
                quote = 0;
            }
            next++;
        }
        if (next >= text.length()) {
            throw new JsonException("unterminated filter");
        }
        String condition = text.substring(start, next++);
        if (!text.startsWith("]", next++)) {
            throw new JsonException("unclosed array expect ]");
        }
        int operator = span(condition, 0, c -> "!<>=".indexOf(c) < 0);
        int right = span(condition, operator, c -> "!<>=~".indexOf(c) >= 0);
        if (operator > 0 && right < condition.length()) {
            String symbol = condition.substring(operator, right);
            steps.add(new JsonPath.Filter(
                    path(condition.substring(0, operator)), symbol, path(condition.substring(right))));
        } else {
            steps.add(new JsonPath.Filter(path(condition), JsonPath.Filter.EXISTS, List.of()));
        }
    }

    private List<Step> path(String part) {
        return new JsonPathParser(part, names).parse();
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isTerminator(int c) {
        return " \t\r\n.,[]$@{}".indexOf(c) >= 0;
    }
}
