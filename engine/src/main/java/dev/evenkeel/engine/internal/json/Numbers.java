package dev.evenkeel.engine.internal.json;

import java.math.BigDecimal;

/** Formats numbers as Go does: always with the fewest digits that distinguish a number from its neighbours. */
public final class Numbers {
    private Numbers() {}

    /** Formats as in JSON: an exponent below 1e-6 and from 1e21 on. */
    public static String text(double value) {
        return text(value, -6, 21);
    }

    /** Formats as in messages and in YAML ({@code %g}): an exponent below 1e-4 and from 1e6 on. */
    public static String general(double value) {
        return text(value, -4, 6);
    }

    private static String text(double value, int smallest, int largest) {
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        BigDecimal digits = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        int exponent = digits.precision() - digits.scale() - 1;
        if (exponent >= smallest && exponent < largest) {
            return digits.toPlainString();
        }
        String unscaled = digits.unscaledValue().abs().toString();
        String fraction = unscaled.length() > 1 ? "." + unscaled.substring(1) : "";
        String sign = exponent < 0 ? "-" : "+";
        String power = Math.abs(exponent) < 10 ? "0" + Math.abs(exponent) : String.valueOf(Math.abs(exponent));
        return (value < 0 ? "-" : "") + unscaled.charAt(0) + fraction + "e" + sign + power;
    }
}
