package dev.evenkeel.engine.internal.json;

import java.util.BitSet;

/**
 * Describes the syntax error of a text that is not JSON, in the words of Go's scanner, which clients see from
 * kube-apiserver: {@code invalid character 'x' looking for beginning of value}. Used only after the parser has refused
 * the text.
 */
final class JsonSyntax {
    private static final String END = "unexpected end of JSON input";

    /** Thrown to leave the scan with the answer. */
    private static final class Found extends RuntimeException {
        Found(String message) {
            super(message, null, false, false);
        }
    }

    private final byte[] text;
    private int next;
    // tells for each level if the container is an object
    private final BitSet objects = new BitSet();
    private int depth;

    private JsonSyntax(byte[] text) {
        this.text = text;
    }

    /** Returns the first error; or the given message when the grammar has none. */
    static String error(byte[] text, String otherwise) {
        try {
            new JsonSyntax(text).document();
            return otherwise;
        } catch (Found e) {
            return String.valueOf(e.getMessage());
        }
    }

    private void document() {
        boolean value = true;
        while (value) {
            value = value(" looking for beginning of value");
            while (!value && depth > 0) {
                value = afterValue();
            }
        }
        if (skipBlanks() >= 0) {
            throw unexpected(" after top-level value");
        }
    }

    /** Reads a scalar, or opens a container; returns true if a value must follow. */
    private boolean value(String context) {
        int c = skipBlanks();
        switch (c) {
            case '{', '[' -> {
                return open(c == '{');
            }
            case '"' -> string();
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> {
                if (c != '-' && !isDigit(c)) {
                    throw unexpected(context);
                }
                number();
            }
        }
        return false;
    }

    private boolean open(boolean object) {
        next++;
        objects.set(depth++, object);
        if (closes(object)) {
            return false;
        }
        if (object) {
            key();
        }
        return true;
    }

    /** Ends the container if its end follows. */
    private boolean closes(boolean object) {
        boolean closes = skip(object ? '}' : ']', skipBlanks());
        depth -= closes ? 1 : 0;
        return closes;
    }

    /** Steps over a character if it is the next one. */
    private boolean skip(char wanted, int c) {
        next += c == wanted ? 1 : 0;
        return c == wanted;
    }

    private void key() {
        if (skipBlanks() != '"') {
            throw unexpected(" looking for beginning of object key string");
        }
        string();
        expect(':', " after object key");
    }

    /** Reads a separator of values, or ends the container; returns true if a value must follow. */
    private boolean afterValue() {
        boolean object = objects.get(depth - 1);
        if (closes(object)) {
            return false;
        }
        expect(',', object ? " after object key:value pair" : " after array element");
        if (object) {
            key();
        }
        return true;
    }

    private void expect(char wanted, String context) {
        if (!skip(wanted, skipBlanks())) {
            throw unexpected(context);
        }
    }

    private void string() {
        next++;
        while (true) {
            int c = peek();
            if (c < ' ') {
                throw unexpected(" in string literal");
            }
            next++;
            if (c == '"') {
                return;
            }
            if (c == '\\') {
                escape();
            }
        }
    }

    private void escape() {
        int c = peek();
        if ("bfnrt\\/\"u".indexOf(c) < 0) {
            throw unexpected(" in string escape code");
        }
        next++;
        for (int i = 0; c == 'u' && i < 4; i++) {
            int digit = peek();
            if (Character.digit(digit, 16) < 0 || digit > 'f') {
                throw unexpected(" in \\u hexadecimal character escape");
            }
            next++;
        }
    }

    private void literal(String word) {
        next++;
        for (int i = 1; i < word.length(); i++) {
            char wanted = word.charAt(i);
            if (peek() != wanted) {
                throw unexpected(" in literal " + word + " (expecting '" + wanted + "')");
            }
            next++;
        }
    }

    private void number() {
        skip('-', peek());
        if (!skip('0', peek())) {
            digits(" in numeric literal");
        }
        if (skip('.', peek())) {
            digits(" after decimal point in numeric literal");
        }
        if (skip('e', peek()) || skip('E', peek())) {
            if (!skip('+', peek())) {
                skip('-', peek());
            }
            digits(" in exponent of numeric literal");
        }
    }

    private void digits(String context) {
        if (!isDigit(peek())) {
            throw unexpected(context);
        }
        while (isDigit(peek())) {
            next++;
        }
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private int skipBlanks() {
        while (next < text.length
                && (text[next] == ' ' || text[next] == '\t' || text[next] == '\r' || text[next] == '\n')) {
            next++;
        }
        return peek();
    }

    private int peek() {
        return next < text.length ? text[next] & 0xff : -1;
    }

    private Found unexpected(String context) {
        int c = peek();
        if (c >= 0) {
            return new Found("invalid character " + quoted(c) + context);
        }
        // at the end Go reads a space, to end a number
        boolean unfinished = (context.startsWith(" in ") && !context.equals(" in string literal"))
                || context.startsWith(" after decimal");
        return new Found(unfinished ? "invalid character ' '" + context : END);
    }

    private static String quoted(int c) {
        int escape = "\\'\7\b\f\n\r\t\13".indexOf(c);
        if (escape >= 0) {
            return "'\\" + "\\'abfnrtv".charAt(escape) + "'";
        }
        if (c < ' ' || c == 0x7f) {
            return String.format("'\\x%02x'", c);
        }
        // bytes are shown as if they were Latin-1, of which 80 to a0 and the soft hyphen cannot be printed
        return (c >= 0x80 && c <= 0xa0) || c == 0xad ? String.format("'\\u%04x'", c) : "'" + (char) c + "'";
    }
}
