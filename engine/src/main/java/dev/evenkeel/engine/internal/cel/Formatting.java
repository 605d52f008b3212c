package dev.evenkeel.engine.internal.cel;

import dev.evenkeel.engine.internal.json.GoTypes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The function {@code format}, which fills the clauses of a text, such as {@code %s} and {@code %.2f}, from a list; and
 * {@code quote}.
 */
final class Formatting {
    private static final String RAISED = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";

    private static final class Bad extends RuntimeException {
        Bad(String message) {
            super(message, null, false, false);
        }
    }

    private Formatting() {}

    static Object format(String pattern, ListValue arguments) {
        StringBuilder result = new StringBuilder();
        int next = 0;
        try {
            int i = 0;
            while (i < pattern.length()) {
                char c = pattern.charAt(i++);
                if (c != '%') {
                    result.append(c);
                    continue;
                }
                if (i < pattern.length() && pattern.charAt(i) == '%') {
                    result.append('%');
                    i++;
                    continue;
                }
                if (next >= arguments.size()) {
                    throw new Bad("index " + next + " out of range");
                }
                if (i >= pattern.length()) {
                    throw new Bad("unexpected end of string");
                }
                int precision = 6;
                if (pattern.charAt(i) == '.') {
                    int end = i + 1;
                    while (end < pattern.length() && pattern.charAt(end) >= '0' && pattern.charAt(end) <= '9') {
                        end++;
                    }
                    precision = precision(pattern, i + 1, end);
                    i = end;
                }
                result.append(clause(pattern.charAt(i++), precision, arguments.get(next++)));
            }
        } catch (Bad e) {
            return new Problem(String.valueOf(e.getMessage()));
        }
        return result.toString();
    }

    private static int precision(String pattern, int from, int end) {
        String number = pattern.substring(from, end);
        if (end < pattern.length() && !number.isEmpty() && number.length() < 5) {
            return Integer.parseInt(number);
        }
        throw new Bad("could not parse formatting clause: error while parsing precision: "
                + (end < pattern.length()
                        ? "error while converting precision to integer: strconv.Atoi: parsing \"" + number + "\": "
                                + (number.isEmpty() ? "invalid syntax" : "value out of range")
                        : "could not find end of precision specifier"));
    }

    private static String clause(char clause, int precision, Object value) {
        return switch (clause) {
            case 's' -> text(value);
            case 'd' -> decimal(value);
            case 'f' -> fixed(value, precision);
            case 'e' -> scientific(value, precision);
            case 'b' ->
                value instanceof Boolean bool
                        ? bool ? "1" : "0"
                        : radix(value, 2, "only integers and bools can be formatted as binary");
            case 'o' -> radix(value, 8, "octal clause can only be used on integers");
            case 'x' -> hex(value);
            case 'X' -> hex(value).toUpperCase(Locale.ROOT);
            default ->
                throw new Bad("could not parse formatting clause: unrecognized formatting clause \"" + clause + "\"");
        };
    }

    private static Bad unfit(String rule, Object value) {
        return new Bad("error during formatting: " + rule + ", was given "
                + TypeName.of(value).name());
    }

    private static String text(Object value) {
        String scalar = Texts.scalar(value);
        if (scalar != null && !(value instanceof Networks.Address) && !(value instanceof Networks.Prefix)) {
            return scalar;
        }
        return switch (value) {
            case Nothing unused -> "null";
            case TypeName type -> type.name();
            case ListValue list ->
                list.elements().stream().map(Formatting::element).collect(Collectors.joining(", ", "[", "]"));
            case MapValue map ->
                map.keys().stream()
                        .collect(Collectors.toMap(
                                Formatting::key, key -> element(map.get(key)), (a, b) -> a, TreeMap::new))
                        .entrySet()
                        .stream()
                        .map(entry -> entry.getKey() + ":" + entry.getValue())
                        .collect(Collectors.joining(", ", "{", "}"));
            case Problem problem -> throw new Bad(problem.text());
            default ->
                throw unfit(
                        "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, "
                                + "durations, and timestamps",
                        value);
        };
    }

    private static String key(Object key) {
        return switch (key) {
            case String text -> GoTypes.quoted(text);
            case Boolean unused -> key.toString();
            default -> decimal(key);
        };
    }

    /** Formats an element of a list or a map as a literal. */
    private static String element(Object value) {
        return switch (value) {
            case String text -> GoTypes.quoted(text);
            case Octets octets -> "b" + GoTypes.quoted(octets.text().orElse(""));
            case Instant unused -> "timestamp(" + GoTypes.quoted(text(value)) + ")";
            case Duration unused -> "duration(" + GoTypes.quoted(text(value)) + ")";
            case Double number ->
                Double.isFinite(number)
                        ? new BigDecimal(number)
                                .setScale(6, RoundingMode.HALF_EVEN)
                                .toPlainString()
                        : GoTypes.quoted(Texts.number(number));
            case ListValue unused -> text(value);
            case MapValue unused -> text(value);
            case Nothing unused -> text(value);
            case TypeName unused -> text(value);
            case Boolean unused -> text(value);
            case Long unused -> text(value);
            case Unsigned unused -> text(value);
            case Problem problem -> throw new Bad(problem.text());
            default ->
                throw new Bad("error during formatting: no formatting function for "
                        + TypeName.of(value).name());
        };
    }

    private static @Nullable BigInteger whole(Object value) {
        return switch (value) {
            case Long number -> BigInteger.valueOf(number);
            case Unsigned number -> number.value();
            default -> null;
        };
    }

    private static String decimal(Object value) {
        return radix(value, 10, "decimal clause can only be used on integers");
    }

    /** Returns the number of a double, or of the name of a double without digits. */
    private static double number(Object value, String clause) {
        return switch (value) {
            case Double number -> number;
            case String text when text.equals("NaN") -> Double.NaN;
            case String text when text.equals("Infinity") -> Double.POSITIVE_INFINITY;
            case String text when text.equals("-Infinity") -> Double.NEGATIVE_INFINITY;
            default -> throw unfit(clause + " clause can only be used on doubles", value);
        };
    }

    /** Formats for readers of English, as upstream does where no locale is configured. */
    private static String fixed(Object value, int precision) {
        double number = number(value, "fixed-point");
        return Double.isFinite(number)
                ? String.format(
                        Locale.ROOT,
                        "%,." + precision + "f",
                        BigDecimal.valueOf(number).setScale(precision, RoundingMode.HALF_EVEN))
                : unlimited(number);
    }

    private static String scientific(Object value, int precision) {
        double number = number(value, "scientific");
        if (!Double.isFinite(number)) {
            return unlimited(number);
        }
        BigDecimal rounded = BigDecimal.valueOf(number).round(new MathContext(precision + 1, RoundingMode.HALF_EVEN));
        int exponent = rounded.signum() == 0 ? 0 : rounded.precision() - rounded.scale() - 1;
        StringBuilder power = new StringBuilder(exponent < 0 ? "\u207b" : "");
        String.format(Locale.ROOT, "%02d", Math.abs(exponent))
                .chars()
                .forEach(digit -> power.append(RAISED.charAt(digit - '0')));
        return rounded.movePointLeft(exponent)
                        .setScale(precision, RoundingMode.HALF_EVEN)
                        .toPlainString()
                + "\u202f\u00d7\u202f10" + power;
    }

    private static String unlimited(double number) {
        return Double.isNaN(number) ? "NaN" : number > 0 ? "\u221e" : "-\u221e";
    }

    private static String radix(Object value, int radix, String rule) {
        BigInteger whole = whole(value);
        if (whole == null) {
            throw unfit(rule, value);
        }
        return whole.toString(radix);
    }

    private static String hex(Object value) {
        return switch (value) {
            case String text -> HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
            case Octets octets -> HexFormat.of().formatHex(octets.bytes());
            default -> radix(value, 16, "only integers, byte buffers, and strings can be formatted as hex");
        };
    }

    static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\u0007' -> quoted.append("\\a");
                case '\b' -> quoted.append("\\b");
                case '\f' -> quoted.append("\\f");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                case '\u000b' -> quoted.append("\\v");
                case '\\' -> quoted.append("\\\\");
                case '"' -> quoted.append("\\\"");
                default -> quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
