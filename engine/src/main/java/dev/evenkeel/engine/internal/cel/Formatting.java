package dev.evenkeel.engine.internal.cel;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The function {@code format}, which fills the clauses of a text, such as {@code %s} and {@code %.2f}, from a list; and
 * {@code quote}.
 */
final class Formatting {
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
                int precision = 6;
                if (i < pattern.length() && pattern.charAt(i) == '.') {
                    int end = i + 1;
                    while (end < pattern.length() && Character.isDigit(pattern.charAt(end))) {
                        end++;
                    }
                    if (end == i + 1 || end - i > 5) {
                        return new Problem("error while formatting: invalid precision");
                    }
                    precision = Integer.parseInt(pattern.substring(i + 1, end));
                    i = end;
                }
                if (i >= pattern.length()) {
                    return new Problem("unexpected end of string");
                }
                if (next >= arguments.size()) {
                    return new Problem("index " + next + " out of range");
                }
                result.append(clause(pattern.charAt(i++), precision, arguments.get(next++)));
            }
        } catch (Bad e) {
            return new Problem(String.valueOf(e.getMessage()));
        }
        return result.toString();
    }

    private static String clause(char clause, int precision, Object value) {
        if (value instanceof Double number && !Double.isFinite(number) && "dfe".indexOf(clause) >= 0) {
            return Double.isNaN(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
        }
        return switch (clause) {
            case 's' -> text(value);
            case 'd' -> radix(value, 10, "decimal");
            case 'f' -> fixed(number(value, "fixed-point"), precision);
            case 'e' -> scientific(number(value, "scientific"), precision);
            case 'b' -> value instanceof Boolean bool ? bool ? "1" : "0" : radix(value, 2, "binary");
            case 'o' -> radix(value, 8, "octal");
            case 'x' -> hex(value);
            case 'X' -> hex(value).toUpperCase(Locale.ROOT);
            default ->
                throw new Bad("could not parse formatting clause: unrecognized formatting clause \"" + clause + "\"");
        };
    }

    private static Bad unfit(String clause, Object value) {
        return new Bad("error during formatting: " + clause + " clause can only be used on other types, was given "
                + TypeName.of(value).name());
    }

    private static String text(Object value) {
        String scalar = Texts.scalar(value);
        if (scalar != null) {
            return scalar;
        }
        return switch (value) {
            case Nothing unused -> "null";
            case TypeName type -> type.name();
            case ListValue list ->
                list.elements().stream().map(Formatting::text).collect(Collectors.joining(", ", "[", "]"));
            case MapValue map ->
                map.keys().stream()
                        .map(key -> text(key) + ": " + text(map.get(key)))
                        .sorted()
                        .collect(Collectors.joining(", ", "{", "}"));
            case Problem problem -> throw new Bad(problem.text());
            default -> throw unfit("string", value);
        };
    }

    private static @Nullable BigInteger whole(Object value) {
        return switch (value) {
            case Long number -> BigInteger.valueOf(number);
            case Unsigned number -> number.value();
            default -> null;
        };
    }

    private static BigDecimal number(Object value, String clause) {
        BigInteger whole = whole(value);
        if (whole != null) {
            return new BigDecimal(whole);
        }
        if (value instanceof Double number) {
            return new BigDecimal(number);
        }
        throw unfit(clause, value);
    }

    private static String fixed(BigDecimal number, int precision) {
        return number.setScale(precision, RoundingMode.HALF_EVEN).toPlainString();
    }

    private static String scientific(BigDecimal number, int precision) {
        if (number.signum() == 0) {
            return fixed(number, precision) + "e+00";
        }
        BigDecimal rounded = number.round(new MathContext(precision + 1, RoundingMode.HALF_EVEN));
        int exponent = rounded.precision() - rounded.scale() - 1;
        return fixed(rounded.movePointLeft(exponent), precision)
                + (exponent < 0 ? "e-" : "e+")
                + (Math.abs(exponent) < 10 ? "0" : "")
                + Math.abs(exponent);
    }

    private static String radix(Object value, int radix, String clause) {
        BigInteger whole = whole(value);
        if (whole == null) {
            throw unfit(clause, value);
        }
        return whole.toString(radix);
    }

    private static String hex(Object value) {
        return switch (value) {
            case String text -> HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
            case Octets octets -> HexFormat.of().formatHex(octets.bytes());
            default -> radix(value, 16, "hex");
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
