package dev.evenkeel.engine.internal.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.evenkeel.engine.internal.syntax.Re2;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Functions on text, regular expressions (RE2) included. Positions count code points. */
final class Strings {
    private Strings() {}

    static void addTo(Library library) {
        Class<String> string = String.class;
        library.add("contains", string, string, String::contains);
        library.add("startsWith", string, string, String::startsWith);
        library.add("endsWith", string, string, String::endsWith);
        library.add(
                "matches",
                string,
                string,
                (text, pattern) -> matching(pattern, re -> re.matcher(text).find()));
        library.add("charAt", string, Long.class, (text, at) -> {
            int size = Texts.size(text);
            if (at < 0 || at > size) {
                return outOfRange(at);
            }
            return at == size ? "" : Texts.part(text, (int) (long) at, (int) (long) at + 1);
        });
        library.add("lowerAscii", string, text -> ascii(text, 'A', 'Z', 32));
        library.add("upperAscii", string, text -> ascii(text, 'a', 'z', -32));
        library.add("trim", string, String::strip);
        library.add("replace", Strings::replace);
        library.add("split", Strings::split);
        library.add("substring", Strings::substring);
        library.add("join", Strings::join);
        library.add("format", string, ListValue.class, Formatting::format);
        library.add("strings.quote", string, Formatting::quote);
        library.add(
                "find",
                string,
                string,
                (text, pattern) -> finding(pattern, re -> {
                    Matcher matcher = re.matcher(text);
                    return matcher.find() ? matcher.group() : "";
                }));
        library.add("findAll", a -> {
            if (!(a[0] instanceof String text) || !(a[1] instanceof String pattern)) {
                return Problem.NO_SUCH_OVERLOAD;
            }
            long limit = number(a, 2, -1);
            return finding(pattern, re -> {
                List<Object> found = new ArrayList<>();
                Matcher matcher = re.matcher(text);
                while ((limit < 0 || found.size() < limit) && matcher.find()) {
                    found.add(matcher.group());
                }
                return ListValue.of(found);
            });
        });
    }

    private static long number(Object[] a, int at, long otherwise) {
        return a.length > at && a[at] instanceof Long number ? number : otherwise;
    }

    private static Problem outOfRange(long index) {
        return new Problem("index out of range: " + index);
    }

    /** Calls a function with a compiled pattern, or returns a {@link Problem}. */
    static Object matching(String pattern, Function<Pattern, Object> use) {
        try {
            return use.apply(Re2.compile(pattern));
        } catch (PatternSyntaxException e) {
            String part = e.getPattern() == null ? pattern : e.getPattern();
            return new Problem("error parsing regexp: " + e.getDescription() + ": `" + part + "`");
        }
    }

    private static Object finding(String pattern, Function<Pattern, Object> use) {
        Object result = matching(pattern, use);
        return result instanceof Problem problem ? new Problem("Illegal regex: " + problem.text()) : result;
    }

    private static String ascii(String text, char from, char to, int shift) {
        StringBuilder result = new StringBuilder(text.length());
        text.chars().forEach(c -> result.append((char) (c >= from && c <= to ? c + shift : c)));
        return result.toString();
    }

    static Object indexOf(Object[] a, boolean last) {
        if (!(a[0] instanceof String text) || !(a[1] instanceof String part)) {
            return Problem.NO_SUCH_OVERLOAD;
        }
        int size = Texts.size(text);
        long from = number(a, 2, last ? size : 0);
        if (part.isEmpty() && a.length > 2) {
            return from;
        }
        if (from < 0) {
            return outOfRange(from);
        }
        if (a.length > 2 && from >= size) {
            return -1L;
        }
        int start = text.offsetByCodePoints(0, (int) from);
        int at = last ? text.lastIndexOf(part, start) : text.indexOf(part, start);
        return at < 0 ? -1L : (long) text.codePointCount(0, at);
    }

    private static Object replace(Object[] a) {
        if (!(a[0] instanceof String text) || !(a[1] instanceof String what) || !(a[2] instanceof String with)) {
            return Problem.NO_SUCH_OVERLOAD;
        }
        long left = number(a, 3, -1);
        if (left < 0) {
            return text.replace(what, with);
        }
        StringBuilder result = new StringBuilder();
        int from = 0;
        while (left-- > 0) {
            int at = text.indexOf(what, from);
            if (at < 0 || (what.isEmpty() && at >= text.length())) {
                break;
            }
            result.append(text, from, at).append(with);
            from = at + what.length();
            if (what.isEmpty()) {
                result.append(text.charAt(from++));
            }
        }
        return result.append(text.substring(from)).toString();
    }

    private static Object split(Object[] a) {
        if (!(a[0] instanceof String text) || !(a[1] instanceof String separator)) {
            return Problem.NO_SUCH_OVERLOAD;
        }
        long limit = number(a, 2, -1);
        List<Object> parts = new ArrayList<>();
        if (limit == 0) {
            return ListValue.of(parts);
        }
        int from = 0;
        while (limit < 0 || parts.size() < limit - 1) {
            int at = separator.isEmpty()
                    ? from >= text.length() ? -1 : text.offsetByCodePoints(from, 1)
                    : text.indexOf(separator, from);
            if (at < 0 || (separator.isEmpty() && at >= text.length())) {
                break;
            }
            parts.add(text.substring(from, at));
            from = at + separator.length();
        }
        if (!separator.isEmpty() || !text.isEmpty()) {
            parts.add(text.substring(from));
        }
        return ListValue.of(parts);
    }

    private static Object substring(Object[] a) {
        if (!(a[0] instanceof String text) || !(a[1] instanceof Long from)) {
            return Problem.NO_SUCH_OVERLOAD;
        }
        long size = Texts.size(text);
        long to = number(a, 2, size);
        if (a.length > 2 && from > to) {
            return new Problem("invalid substring range. start: " + from + ", end: " + to);
        }
        if (from < 0 || from > size || to < 0 || to > size) {
            return outOfRange(from < 0 || from > size ? from : to);
        }
        return Texts.part(text, (int) (long) from, (int) to);
    }

    private static Object join(Object[] a) {
        if (!(a[0] instanceof ListValue list)) {
            return Problem.NO_SUCH_OVERLOAD;
        }
        String separator = a.length > 1 && a[1] instanceof String text ? text : "";
        StringBuilder joined = new StringBuilder();
        for (int i = 0; i < list.size(); i++) {
            if (!(list.get(i) instanceof String text)) {
                return Problem.NO_SUCH_OVERLOAD;
            }
            joined.append(i == 0 ? "" : separator).append(text);
        }
        return joined.toString();
    }
}
