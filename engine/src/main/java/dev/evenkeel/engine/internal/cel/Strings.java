package dev.evenkeel.engine.internal.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Functions on text, regular expressions (RE2) included. Positions count code points. */
final class Strings {
    static final Map<String, Call> CALLS = calls();

    private Strings() {}

    private static Map<String, Call> calls() {
        Map<String, Call> calls = new HashMap<>();
        calls.put("contains", Call.of(String.class, String.class, String::contains));
        calls.put("startsWith", Call.of(String.class, String.class, String::startsWith));
        calls.put("endsWith", Call.of(String.class, String.class, String::endsWith));
        calls.put(
                "matches",
                Call.of(
                        String.class,
                        String.class,
                        (text, pattern) ->
                                matching(pattern, re -> re.matcher(text).find())));
        calls.put("charAt", Call.of(String.class, Long.class, (text, at) -> {
            int size = Texts.size(text);
            if (at < 0 || at > size) {
                return new Problem("index out of range: " + at);
            }
            return at == size ? "" : Texts.part(text, (int) (long) at, (int) (long) at + 1);
        }));
        calls.put("indexOf", Strings::indexOf);
        calls.put("lastIndexOf", Strings::lastIndexOf);
        calls.put("lowerAscii", Call.of(String.class, text -> ascii(text, 'A', 'Z', 32)));
        calls.put("upperAscii", Call.of(String.class, text -> ascii(text, 'a', 'z', -32)));
        calls.put("trim", Call.of(String.class, String::strip));
        calls.put("replace", Strings::replace);
        calls.put("split", Strings::split);
        calls.put("substring", Strings::substring);
        calls.put("join", Strings::join);
        calls.put("format", Call.of(String.class, ListValue.class, Formatting::format));
        calls.put("strings.quote", Call.of(String.class, Formatting::quote));
        calls.put(
                "find",
                Call.of(
                        String.class,
                        String.class,
                        (text, pattern) -> matching(pattern, re -> {
                            Matcher matcher = re.matcher(text);
                            return matcher.find() ? matcher.group() : "";
                        })));
        calls.put("findAll", a -> {
            if (!(a[0] instanceof String text) || !(a[1] instanceof String pattern)) {
                return Problem.NO_SUCH_OVERLOAD;
            }
            long limit = a.length > 2 && a[2] instanceof Long n ? n : -1;
            return matching(pattern, re -> {
                List<Object> found = new ArrayList<>();
                Matcher matcher = re.matcher(text);
                while ((limit < 0 || found.size() < limit) && matcher.find()) {
                    found.add(matcher.group());
                }
                return ListValue.of(found);
            });
        });
        return calls;
    }

    /** Calls a function with a compiled pattern, or returns a {@link Problem}. */
    static Object matching(String pattern, java.util.function.Function<Pattern, Object> use) {
        try {
            return use.apply(Pattern.compile(pattern));
        } catch (PatternSyntaxException e) {
            return new Problem("error parsing regexp: " + e.getDescription() + ": `" + pattern + "`");
        }
    }

    private static String ascii(String text, char from, char to, int shift) {
        StringBuilder result = new StringBuilder(text.length());
        text.chars().forEach(c -> result.append((char) (c >= from && c <= to ? c + shift : c)));
        return result.toString();
    }

    private static Object indexOf(Object[] a) {
        if (!(a[0] instanceof String text) || !(a[1] instanceof String part)) {
            return Problem.NO_SUCH_OVERLOAD;
        }
        long from = a.length > 2 && a[2] instanceof Long n ? n : 0;
        if (from < 0 || from > Texts.size(text)) {
            return new Problem("index out of range: " + from);
        }
        int at = text.indexOf(part, text.offsetByCodePoints(0, (int) from));
        return at < 0 ? -1L : (long) text.codePointCount(0, at);
    }

    private static Object lastIndexOf(Object[] a) {
        if (!(a[0] instanceof String text) || !(a[1] instanceof String part)) {
            return Problem.NO_SUCH_OVERLOAD;
        }
        int size = Texts.size(text);
        long from = a.length > 2 && a[2] instanceof Long n ? n : size;
        if (from < 0 || from > size) {
            return new Problem("index out of range: " + from);
        }
        int at = text.lastIndexOf(part, text.offsetByCodePoints(0, (int) from));
        return at < 0 ? -1L : (long) text.codePointCount(0, at);
    }

    private static Object replace(Object[] a) {
        if (!(a[0] instanceof String text) || !(a[1] instanceof String what) || !(a[2] instanceof String with)) {
            return Problem.NO_SUCH_OVERLOAD;
        }
        long left = a.length > 3 && a[3] instanceof Long n ? n : -1;
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
        long limit = a.length > 2 && a[2] instanceof Long n ? n : -1;
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
        long to = a.length > 2 && a[2] instanceof Long n ? n : size;
        if (from < 0 || from > size) {
            return new Problem("index out of range: " + from);
        }
        if (to < 0 || to > size) {
            return new Problem("index out of range: " + to);
        }
        if (from > to) {
            return new Problem("invalid substring range. start: " + from + ", end: " + to);
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

    /** Returns a function that also accepts lists. */
    static Call withLists(String name, BiFunction<ListValue, Object, Object> onLists) {
        Call onText = java.util.Objects.requireNonNull(CALLS.get(name));
        return a -> a.length == 2 && a[0] instanceof ListValue list ? onLists.apply(list, a[1]) : onText.of(a);
    }
}
