package dev.evenkeel.policy.internal.selector;

import dev.evenkeel.policy.internal.selector.Selector.And;
import dev.evenkeel.policy.internal.selector.Selector.Compare;
import dev.evenkeel.policy.internal.selector.Selector.Member;
import dev.evenkeel.policy.internal.selector.Selector.Node;
import dev.evenkeel.policy.internal.selector.Selector.Operator;
import dev.evenkeel.policy.internal.selector.Selector.Or;
import dev.evenkeel.policy.internal.sharing.Shared;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Reads the text of a {@link Selector} by recursive descent, without look-ahead beyond one token:
 *
 * <pre>
 * or      = and { "||" and }
 * and     = unary { "&amp;&amp;" unary }
 * unary   = { "!" } primary
 * primary = "(" or ")" | "has(" label ")" | "all()" | "global()" | label comparison
 * comparison = ( "==" | "!=" | "contains" | "starts with" | "ends with" ) string
 *            | ( "in" | "not in" ) "{" [ string { "," string } [ "," ] ] "}"
 * string  = '"' characters '"' | "'" characters "'"
 * </pre>
 *
 * <p>Directly after a label an operator is expected, so labels may be called {@code in} or {@code has}; a call has no blank
 * before its parenthesis. Blanks are spaces and tabs. Strings have no escapes.
 */
final class SelectorParser {
    /** The deepest nesting of parentheses: the parser is recursive. */
    private static final int DEEPEST = 200;

    private final String text;
    private int at;
    private int parentheses;

    SelectorParser(String text) {
        this.text = text;
    }

    Node parse() {
        Node node = or();
        blanks();
        if (at < text.length()) {
            throw error("expected \"&&\", \"||\" or the end");
        }
        return node;
    }

    private Node or() {
        List<Node> operands = operands(this::and, "||");
        return operands.size() == 1 ? operands.getFirst() : new Or(operands);
    }

    private Node and() {
        List<Node> operands = operands(this::unary, "&&");
        return operands.size() == 1 ? operands.getFirst() : new And(operands);
    }

    private List<Node> operands(Supplier<Node> operand, String operator) {
        List<Node> operands = new ArrayList<>();
        do {
            operands.add(operand.get());
        } while (accept(operator));
        return List.copyOf(operands);
    }

    private Node unary() {
        boolean negated = false;
        while (accept("!")) {
            negated = !negated;
        }
        Node node = primary();
        return negated ? Selector.not(node) : node;
    }

    private Node primary() {
        if (accept("(")) {
            parentheses++;
            if (parentheses > DEEPEST) {
                throw error("parentheses are nested more than " + DEEPEST + " deep");
            }
            Node node = or();
            expect(")");
            parentheses--;
            return node;
        }
        int begin = at;
        String label = label();
        if (at < text.length() && text.charAt(at) == '(') {
            at++;
            Node call = switch (label) {
                case "all" -> new Selector.All();
                case "global" -> new Selector.Global();
                case "has" -> new Selector.Has(label());
                default -> {
                    at = begin;
                    throw error("expected has(label), all() or global()");
                }
            };
            expect(")");
            return call;
        }
        return comparison(label);
    }

    private Node comparison(String label) {
        blanks();
        if (accept("==")) {
            return new Compare(label, Operator.EQUAL, string());
        }
        if (accept("!=")) {
            return new Compare(label, Operator.NOT_EQUAL, string());
        }
        if (words("contains")) {
            return new Compare(label, Operator.CONTAINS, string());
        }
        if (words("starts", "with")) {
            return new Compare(label, Operator.STARTS_WITH, string());
        }
        if (words("ends", "with")) {
            return new Compare(label, Operator.ENDS_WITH, string());
        }
        if (words("not", "in")) {
            return new Member(label, true, set());
        }
        if (words("in")) {
            return new Member(label, false, set());
        }
        throw error(
                "expected an operator after \"" + label + "\": ==, !=, in, not in, contains, starts with or ends with");
    }

    private List<String> set() {
        List<String> values = new ArrayList<>();
        expect("{");
        while (!accept("}")) {
            if (!values.isEmpty()) {
                expect(",");
                if (accept("}")) {
                    break;
                }
            }
            values.add(string());
        }
        return Selector.sorted(values);
    }

    private String string() {
        blanks();
        char quote = at < text.length() ? text.charAt(at) : ' ';
        if (quote != '"' && quote != '\'') {
            throw error("expected a quoted string");
        }
        int end = text.indexOf(quote, at + 1);
        if (end < 0) {
            throw error("the string has no closing " + quote);
        }
        String value = Shared.of(text.substring(at + 1, end));
        at = end + 1;
        return value;
    }

    private String label() {
        blanks();
        int begin = at;
        while (at < text.length() && isLabel(text.charAt(at))) {
            at++;
        }
        int length = at - begin;
        if (length == 0) {
            throw error("expected a label, has(label), all(), global() or a parenthesis");
        }
        if (length > Selector.LONGEST_LABEL) {
            at = begin;
            throw error("the name of a label has at most " + Selector.LONGEST_LABEL + " characters: " + length);
        }
        return Shared.of(text.substring(begin, at));
    }

    private void expect(String symbol) {
        if (!accept(symbol)) {
            throw error("expected \"" + symbol + "\"");
        }
    }

    private boolean accept(String symbol) {
        blanks();
        boolean found = text.startsWith(symbol, at);
        if (found) {
            at += symbol.length();
        }
        return found;
    }

    /** Accepts words, with or without blanks between them, before a character that is not part of a word. */
    private boolean words(String... words) {
        int begin = at;
        for (String word : words) {
            if (!accept(word)) {
                at = begin;
                return false;
            }
        }
        if (at < text.length() && isLabel(text.charAt(at))) {
            at = begin;
            return false;
        }
        return true;
    }

    private void blanks() {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
    }

    private static boolean isLabel(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '_'
                || c == '.'
                || c == '/'
                || c == '-';
    }

    private IllegalArgumentException error(String message) {
        return new IllegalArgumentException("selector: " + message + " at column " + (at + 1) + " of <" + text + ">");
    }
}
