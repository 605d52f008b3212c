package dev.evenkeel.kubernetes;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the bounds of values in a JSON text that is still being received, without parsing them.
 *
 * <p>Only quotes, backslashes and brackets are examined, all of them single bytes in UTF-8 that are part of no other
 * character, so texts are never decoded and cannot be damaged wherever they are split. Only bytes that were
 * {@linkplain #mark marked} and not yet taken are kept in memory.
 */
final class JsonSource {
    private static final int WINDOW = 64 * 1024;

    /** Null when the text is complete. */
    private final @Nullable InputStream in;

    private final int limit;
    private byte[] window;
    private int at;
    private int end;
    private int mark = -1;

    /** @param limit the maximum size of a single value, in bytes */
    JsonSource(InputStream in, int limit) {
        this.in = in;
        this.limit = limit;
        window = new byte[WINDOW];
    }

    /** Creates a source of a complete text. */
    JsonSource(byte[] text, int length) {
        in = null;
        limit = Integer.MAX_VALUE - 8;
        window = text;
        end = length;
    }

    private void fill() throws IOException {
        InputStream more = in;
        if (more == null) {
            throw new EOFException("the text ended in the middle");
        }
        int keep = mark >= 0 ? mark : at;
        if (keep > 0) {
            System.arraycopy(window, keep, window, 0, end - keep);
            at -= keep;
            end -= keep;
            mark = mark >= 0 ? 0 : -1;
        }
        if (end == window.length) {
            if (end >= limit) {
                throw new KubernetesClient.UnexpectedAnswerException(
                        "a single value of the answer has more than " + limit + " bytes: raise maxObjectBytes");
            }
            window = Arrays.copyOf(window, (int) Math.min(limit, 2L * window.length));
        }
        int n = more.read(window, end, window.length - end);
        if (n < 0) {
            throw new EOFException("the answer ended in the middle");
        }
        end += n;
    }

    /** Returns the next byte that is not white space, without passing it. */
    byte peek() throws IOException {
        while (true) {
            while (at < end) {
                byte next = window[at];
                if (next != ' ' && next != '\n' && next != '\r' && next != '\t') {
                    return next;
                }
                at++;
            }
            fill();
        }
    }

    /** Passes the next byte that is not white space, if it is the wanted one; returns whether it was. */
    boolean pass(char wanted) throws IOException {
        if (peek() != wanted) {
            return false;
        }
        at++;
        return true;
    }

    void expect(char wanted) throws IOException {
        if (!pass(wanted)) {
            throw new KubernetesClient.UnexpectedAnswerException(
                    "the answer is damaged: '" + (char) (peek() & 0xFF) + "' where '" + wanted
                            + "' belongs, before: "
                            + JsonDocuments.excerpt(Arrays.copyOfRange(window, at, Math.min(end, at + 400))));
        }
    }

    /** Keeps all bytes from the next one on. */
    void mark() throws IOException {
        peek();
        mark = at;
    }

    /** Returns the number of bytes passed since the mark. */
    int marked() {
        return at - mark;
    }

    /** Returns whether the text is at a position after the mark. */
    boolean markedIs(int from, byte[] text) {
        return Arrays.equals(window, mark + from, mark + from + text.length, text, 0, text.length);
    }

    /** Returns the bytes passed since the mark, with a prefix; removes the mark. */
    byte[] take(byte[] before, int skip) {
        int length = at - mark - skip;
        byte[] copy = new byte[before.length + length];
        System.arraycopy(before, 0, copy, 0, before.length);
        System.arraycopy(window, mark + skip, copy, before.length, length);
        mark = -1;
        return copy;
    }

    byte[] take() {
        return take(new byte[0], 0);
    }

    void unmark() {
        mark = -1;
    }

    /** Passes a value. */
    void skip() throws IOException {
        switch (peek()) {
            case '"' -> skipString();
            case '{', '[' -> skipBrackets();
            default -> skipScalar();
        }
    }

    private void skipScalar() throws IOException {
        int passed = 0;
        while (true) {
            if (at == end) {
                fill();
            }
            switch (window[at]) {
                case ',', ']', '}', ' ', '\n', '\r', '\t' -> {
                    if (passed == 0) {
                        throw new KubernetesClient.UnexpectedAnswerException(
                                "the answer is damaged: a value is missing");
                    }
                    return;
                }
                default -> {
                    at++;
                    passed++;
                }
            }
        }
    }

    private void skipBrackets() throws IOException {
        int depth = 0;
        do {
            if (at == end) {
                fill();
            }
            switch (window[at]) {
                case '{', '[' -> {
                    depth++;
                    at++;
                }
                case '}', ']' -> {
                    depth--;
                    at++;
                }
                case '"' -> skipString();
                default -> at++;
            }
        } while (depth > 0);
    }

    private void skipString() throws IOException {
        at++;
        while (true) {
            byte[] text = window;
            int i = at;
            int stop = end;
            while (i < stop && text[i] != '"' && text[i] != '\\') {
                i++;
            }
            at = i;
            if (i == stop) {
                fill();
            } else if (text[i] == '"') {
                at++;
                return;
            } else {
                at++; // the backslash, and what it protects
                if (at == end) {
                    fill();
                }
                at++;
            }
        }
    }

    /** Passes a field name and its colon; returns the position of the name, after the mark, without its quotes. */
    int[] field() throws IOException {
        if (peek() != '"') {
            expect('"');
        }
        int from = at - mark + 1;
        skipString();
        int to = at - mark - 1;
        expect(':');
        return new int[] {from, to};
    }

    /** Passes and returns a short text without escapes: a field name, or the type of an event. */
    String name() throws IOException {
        mark();
        if (peek() != '"') {
            expect('"');
        }
        skipString();
        byte[] quoted = take();
        return new String(quoted, 1, quoted.length - 2, java.nio.charset.StandardCharsets.UTF_8);
    }
}
