package dev.evenkeel.engine.internal.syntax;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compiles regular expressions that clients send.
 *
 * <p><b>Problem.</b> Matching takes linear time, but a repetition is compiled to copies: 25 characters can become a
 * program of gigabytes, and deep nesting overflows the stack of the compiler. Upstream's engine refuses both, RE2/J does not.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>An expression is compiled only after its text was scanned, without recursion: nested repetitions make at most
 *       {@value #MAX_REPEAT} copies, as upstream; it nests at most {@value #MAX_HEIGHT} levels, as upstream; its program has at most
 *       {@value #MAX_SIZE} instructions.
 *   <li>Compiled expressions are kept by the size of their programs, not by their number; those that were not used for
 *       longest are dropped.
 * </ol>
 */
public final class Re2 {
    private static final int MAX_REPEAT = 1000;
    private static final int MAX_HEIGHT = 1000;
    private static final int MAX_SIZE = 100_000;

    /** The number of classes such as {@code \pL}, each of which has hundreds of ranges. */
    private static final int MAX_UNICODE_CLASSES = 1000;

    private static final Cache CACHE = new Cache(250_000);

    private Re2() {}

    /**
     * Compiles an expression.
     *
     * @throws PatternSyntaxException if it is malformed or exceeds a limit
     */
    public static Pattern compile(String expression) {
        Pattern known = CACHE.get(expression);
        if (known != null) {
            return known;
        }
        int size = size(expression);
        Pattern pattern = Pattern.compile(expression);
        CACHE.put(expression, pattern, size);
        return pattern;
    }

    /**
     * Returns the approximate number of instructions of the program of an expression.
     *
     * @throws PatternSyntaxException if the expression exceeds a limit
     */
    public static int size(String expression) {
        return new Scanner(expression).scan();
    }

    /** Programs, with the one that was not used for longest first. */
    static final class Cache {
        private record Program(Pattern pattern, int size) {}

        private final Map<String, Program> programs = new LinkedHashMap<>(16, 0.75f, true);
        private final int capacity;
        private int size;

        Cache(int capacity) {
            this.capacity = capacity;
        }

        synchronized @Nullable Pattern get(String expression) {
            Program program = programs.get(expression);
            return program == null ? null : program.pattern;
        }

        synchronized void put(String expression, Pattern pattern, int instructions) {
            int cost = instructions + expression.length();
            Program before = programs.put(expression, new Program(pattern, cost));
            size += cost - (before == null ? 0 : before.size);
            var eldest = programs.values().iterator();
            while (size > capacity && eldest.hasNext()) {
                size -= eldest.next().size;
                eldest.remove();
            }
        }

        synchronized int size() {
            return size;
        }
    }

    /**
     * Measures an expression by its text.
     *
     * <p>It accepts what the compiler refuses: a malformed expression gets the compiler's message.
     */
    private static final class Scanner {
        /** A group as far as it was read: its closed parts, and the last part, to which a repetition applies. */
        private static final class Group {
            long size;
            int repeat = 1;
            int height;
            long lastSize;
            int lastRepeat = 1;
            int lastHeight;

            void part(long newSize, int newRepeat, int newHeight) {
                close();
                lastSize = newSize;
                lastRepeat = newRepeat;
                lastHeight = newHeight;
            }

            void close() {
                size += lastSize;
                repeat = Math.max(repeat, lastRepeat);
                height = Math.max(height, lastHeight);
                lastSize = 0;
                lastRepeat = 1;
                lastHeight = 0;
            }
        }

        private final String text;
        private final Deque<Group> outer = new ArrayDeque<>();
        private Group group = new Group();
        private int at;
        private int unicodeClasses;

        Scanner(String text) {
            this.text = text;
        }

        int scan() {
            while (at < text.length()) {
                char c = text.charAt(at++);
                switch (c) {
                    case '\\' -> escape();
                    case '[' -> characterClass();
                    case '(' -> {
                        outer.push(group);
                        group = new Group();
                        check(outer.size() < MAX_HEIGHT, "expression nests too deeply", text);
                    }
                    case ')' -> {
                        if (!outer.isEmpty()) {
                            Group inner = group;
                            inner.close();
                            group = outer.pop();
                            group.part(inner.size + 2, inner.repeat, inner.height + 1);
                        }
                    }
                    case '|' -> group.part(1, 1, 0);
                    case '*', '+', '?' -> {
                        group.lastSize++;
                        group.lastHeight++;
                    }
                    case '{' -> repetition();
                    default -> group.part(1, 1, 1);
                }
                check(group.lastHeight < MAX_HEIGHT, "expression nests too deeply", text);
                check(
                        group.size + group.lastSize <= MAX_SIZE && unicodeClasses <= MAX_UNICODE_CLASSES,
                        "expression too large",
                        text);
            }
            long size = group.size + group.lastSize;
            for (Group open : outer) {
                size += open.size + open.lastSize;
            }
            check(size <= MAX_SIZE, "expression too large", text);
            return (int) size;
        }

        private void escape() {
            if (at == text.length()) {
                return;
            }
            char c = text.charAt(at++);
            if (c == 'Q') {
                int end = text.indexOf("\\E", at);
                String literal = text.substring(at, end < 0 ? text.length() : end);
                at = end < 0 ? text.length() : end + 2;
                group.part(literal.length(), 1, 1);
                group.part(1, 1, 1);
                return;
            }
            if (c == 'p' || c == 'P') {
                unicodeClasses++;
            }
            if ((c == 'p' || c == 'P' || c == 'x') && at < text.length() && text.charAt(at) == '{') {
                int end = text.indexOf('}', at);
                at = end < 0 ? text.length() : end + 1;
            }
            group.part(1, 1, 1);
        }

        private void characterClass() {
            int begin = at;
            if (at < text.length() && text.charAt(at) == '^') {
                at++;
            }
            if (at < text.length() && text.charAt(at) == ']') {
                at++;
            }
            while (at < text.length() && text.charAt(at) != ']') {
                char c = text.charAt(at++);
                if (c == '\\' && at < text.length()) {
                    char escaped = text.charAt(at++);
                    if (escaped == 'p' || escaped == 'P') {
                        unicodeClasses++;
                    }
                } else if (c == '[' && at < text.length() && text.charAt(at) == ':') {
                    int end = text.indexOf(":]", at + 1);
                    at = end < 0 ? at : end + 2;
                }
            }
            at++;
            // its ranges are kept once, however often it is repeated
            group.part((at - begin) / 64 + 1, 1, 1);
        }

        /** Applies {@code {n}}, <code>{n,}</code> or <code>{n,m}</code> to the last part; other braces are characters. */
        private void repetition() {
            int begin = at - 1;
            int end = text.indexOf('}', at);
            int comma = text.indexOf(',', at);
            int min = end < 0 ? -1 : number(at, comma < 0 || comma > end ? end : comma);
            int max = min;
            if (min >= 0 && comma >= 0 && comma < end) {
                max = comma + 1 == end ? Integer.MAX_VALUE : number(comma + 1, end);
            }
            if (min < 0 || max < 0) {
                group.part(1, 1, 1);
                return;
            }
            at = end + 1;
            int copies = max == Integer.MAX_VALUE ? min : max;
            if (copies == 0) {
                group.lastSize = max == 0 ? 1 : group.lastSize + 1;
                group.lastRepeat = max == 0 ? 1 : group.lastRepeat;
            } else {
                check(
                        (long) copies * group.lastRepeat <= MAX_REPEAT,
                        "invalid repeat count",
                        text.substring(begin, at));
                group.lastRepeat *= copies;
                // optional copies have an instruction more that skips them
                group.lastSize = group.lastSize * copies + (max == Integer.MAX_VALUE ? 1 : max - min);
            }
            group.lastHeight++;
        }

        /** Returns the number between two positions; -1 if there is none; large ones are cut off. */
        private int number(int from, int to) {
            if (from == to || (to - from > 1 && text.charAt(from) == '0')) {
                return -1;
            }
            int number = 0;
            for (int i = from; i < to; i++) {
                char digit = text.charAt(i);
                if (digit < '0' || digit > '9') {
                    return -1;
                }
                number = Math.min(number * 10 + digit - '0', MAX_REPEAT + 1);
            }
            return number;
        }

        private static void check(boolean withinLimit, String problem, String part) {
            if (!withinLimit) {
                throw new PatternSyntaxException(problem, part.length() > 100 ? part.substring(0, 100) + "..." : part);
            }
        }
    }
}
