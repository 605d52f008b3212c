package dev.evenkeel.engine.patch;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Trees as Go's {@code %v} prints them, which is how upstream's messages show them: {@code map[a:1 b:[x y]]}. */
final class GoText {
    private GoText() {}

    static String of(@Nullable Object tree) {
        StringBuilder out = new StringBuilder();
        append(out, tree);
        return out.toString();
    }

    private static void append(StringBuilder out, @Nullable Object tree) {
        switch (tree) {
            case null -> out.append("<nil>");
            case Map<?, ?> map -> {
                out.append("map[");
                String separator = "";
                for (Map.Entry<?, ?> entry : new TreeMap<>(map).entrySet()) {
                    out.append(separator).append(entry.getKey()).append(':');
                    append(out, entry.getValue());
                    separator = " ";
                }
                out.append(']');
            }
            case List<?> list -> {
                out.append('[');
                String separator = "";
                for (Object item : list) {
                    out.append(separator);
                    append(out, item);
                    separator = " ";
                }
                out.append(']');
            }
            case Double number -> out.append(number(number));
            default -> out.append(tree);
        }
    }

    /** Shortest digits; an exponent below 1e-4 and from 1e21 on. */
    private static String number(double value) {
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        BigDecimal digits = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        int exponent = digits.precision() - digits.scale() - 1;
        if (exponent >= -4 && exponent < 21) {
            return digits.toPlainString();
        }
        String unscaled = digits.unscaledValue().abs().toString();
        return (value < 0 ? "-" : "")
                + unscaled.charAt(0)
                + (unscaled.length() > 1 ? "." + unscaled.substring(1) : "")
                + (exponent < 0 ? "e-" : "e+")
                + (Math.abs(exponent) < 10 ? "0" : "")
                + Math.abs(exponent);
    }

    /** What Go's JSON decoder calls the kind of a value. */
    static String kind(@Nullable Object tree) {
        return switch (tree) {
            case null -> "null";
            case Map<?, ?> map -> "object";
            case List<?> list -> "array";
            case String text -> "string";
            case Boolean flag -> "bool";
            default -> "number";
        };
    }
}
