package dev.evenkeel.client;

import dev.evenkeel.client.LabelSelector.Requirement.Operator;
import dev.evenkeel.client.internal.LabelSyntax;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The grammar of label selectors, with upstream's messages: which of them begin with
 * {@code unable to parse requirement:} depends on whether the error is inside a requirement or between two.
 */
final class LabelSelectorParser {
    private static final String SPECIAL = "=!(),><";

    private enum Kind {
        END,
        WORD,
        SYMBOL
    }

    private record Token(Kind kind, String text) {
        boolean is(String symbol) {
            return kind == Kind.SYMBOL && text.equals(symbol);
        }

        boolean isWord() {
            return kind == Kind.WORD;
        }

        boolean isEnd() {
            return kind == Kind.END;
        }
    }

    /** Thrown inside a requirement; its message still lacks the beginning. */
    private static final class Misfit extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Misfit(String message) {
            super(message, null, false, false);
        }
    }

    private final String text;
    private int next;
    private Token current;

    LabelSelectorParser(String text) {
        this.text = text;
        this.current = scan();
    }

    List<LabelSelector.Requirement> parse() {
        List<LabelSelector.Requirement> requirements = new ArrayList<>();
        if (current.isEnd()) {
            return requirements;
        }
        if (!startsRequirement()) {
            throw LabelSelector.badRequest(
                    "found '" + current.text() + "', expected: !, identifier, or 'end of string'");
        }
        while (true) {
            requirements.add(requirement());
            Token separator = take();
            if (separator.isEnd()) {
                return requirements;
            }
            if (!separator.is(",")) {
                throw LabelSelector.badRequest("found '" + separator.text() + "', expected: ',' or 'end of string'");
            }
            if (!startsRequirement()) {
                throw LabelSelector.badRequest("found '" + current.text() + "', expected: identifier after ','");
            }
        }
    }

    private boolean startsRequirement() {
        return current.isWord() || current.is("!");
    }

    private LabelSelector.Requirement requirement() {
        try {
            boolean negated = current.is("!");
            if (negated) {
                take();
            }
            String key = key();
            if (negated) {
                return new LabelSelector.Requirement(key, Operator.DOES_NOT_EXIST, List.of());
            }
            if (current.isEnd() || current.is(",")) {
                return new LabelSelector.Requirement(key, Operator.EXISTS, List.of());
            }
            Operator operator = operator();
            boolean set = operator == Operator.IN || operator == Operator.NOT_IN;
            return new LabelSelector.Requirement(key, operator, set ? values() : List.of(value()));
        } catch (Misfit | BadRequestException e) {
            throw LabelSelector.badRequest("unable to parse requirement: " + e.getMessage());
        }
    }

    private String key() {
        Token token = take();
        if (!token.isWord()) {
            throw new Misfit("found '" + token.text() + "', expected: identifier");
        }
        List<String> errors = LabelSyntax.keyErrors(token.text());
        if (!errors.isEmpty()) {
            // upstream has no field to name here, and prints that
            throw new Misfit(LabelSelector.invalid("<nil>", token.text(), String.join("; ", errors)));
        }
        return token.text();
    }

    private Operator operator() {
        Token token = take();
        return switch (token.text()) {
            case "in" -> Operator.IN;
            case "notin" -> Operator.NOT_IN;
            case "=", "==" -> Operator.EQUALS;
            case "!=" -> Operator.NOT_EQUALS;
            case ">" -> Operator.GREATER_THAN;
            case "<" -> Operator.LESS_THAN;
            default -> throw new Misfit("found '" + token.text() + "', expected: in, notin, =, ==, !=, gt, lt");
        };
    }

    private String value() {
        if (current.isEnd() || current.is(",")) {
            return "";
        }
        Token token = take();
        if (!token.isWord()) {
            throw new Misfit("found '" + token.text() + "', expected: identifier");
        }
        return token.text();
    }

    /** Parses values; empty places between commas are empty values. */
    private List<String> values() {
        Token open = take();
        if (!open.is("(")) {
            throw new Misfit("found '" + open.text() + "' expected: '('");
        }
        if (!current.isWord() && !current.is(",") && !current.is(")")) {
            throw new Misfit("found '" + current.text() + "', expected: ',', ')' or identifier");
        }
        TreeSet<String> values = new TreeSet<>();
        while (true) {
            boolean given = current.isWord();
            values.add(given ? take().text() : "");
            if (current.is(")")) {
                take();
                return List.copyOf(values);
            }
            if (!current.is(",")) {
                throw new Misfit("found '" + current.text()
                        + (given ? "', expected: ',' or ')'" : "', expected: ',', or identifier"));
            }
            take();
        }
    }

    private Token take() {
        Token taken = current;
        if (!taken.isEnd()) {
            current = scan();
        }
        return taken;
    }

    private Token scan() {
        while (next < text.length() && isBlank(text.charAt(next))) {
            next++;
        }
        if (next == text.length()) {
            return new Token(Kind.END, "");
        }
        int start = next;
        char first = text.charAt(next++);
        if (SPECIAL.indexOf(first) >= 0) {
            boolean pair = (first == '=' || first == '!') && next < text.length() && text.charAt(next) == '=';
            next += pair ? 1 : 0;
            return new Token(Kind.SYMBOL, text.substring(start, next));
        }
        while (next < text.length() && !isBlank(text.charAt(next)) && SPECIAL.indexOf(text.charAt(next)) < 0) {
            next++;
        }
        return new Token(Kind.WORD, text.substring(start, next));
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }
}
