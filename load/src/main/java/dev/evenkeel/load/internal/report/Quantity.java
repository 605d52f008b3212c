package dev.evenkeel.load.internal.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;

/** Values with their units, as people read them. */
final class Quantity {
    private static final String[] BYTES = {"B", "kB", "MB", "GB", "TB", "PB"};

    private Quantity() {}

    /** Returns a value in a unit of a series or a verdict. */
    static String of(double value, String unit) {
        if (!Double.isFinite(value)) {
            return Double.isNaN(value) ? "unknown" : value > 0 ? "without end" : "minus infinity";
        }
        if (unit.equals("seconds")) {
            return seconds(value);
        }
        if (unit.equals("bytes")) {
            return bytes(value);
        }
        if (unit.equals("bytes/s")) {
            return bytes(value) + "/s";
        }
        return unit.isEmpty() ? number(value) : number(value) + " " + unit;
    }

    static String of(Duration duration) {
        return seconds(duration.toNanos() / 1e9);
    }

    /** Returns a number with three significant digits; integers have all of theirs. */
    static String number(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            return Long.toString((long) value);
        }
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(3, RoundingMode.HALF_UP));
        String plain = rounded.stripTrailingZeros().toPlainString();
        return plain.length() > 12 ? String.valueOf(rounded.doubleValue()) : plain;
    }

    private static String seconds(double value) {
        double size = Math.abs(value);
        if (size >= 120) {
            return number(Math.round(value / 6) / 10.0) + " min";
        }
        if (size >= 1 || value == 0) {
            return rounded(value) + " s";
        }
        return size >= 1e-3 ? rounded(value * 1e3) + " ms" : rounded(value * 1e6) + " µs";
    }

    private static String bytes(double value) {
        int unit = 0;
        double scaled = value;
        while (Math.abs(scaled) >= 999.5 && unit < BYTES.length - 1) {
            scaled /= 1_000;
            unit++;
        }
        return rounded(scaled) + " " + BYTES[unit];
    }

    private static String rounded(double value) {
        return value == 0
                ? "0"
                : new BigDecimal(value)
                        .round(new MathContext(3, RoundingMode.HALF_UP))
                        .stripTrailingZeros()
                        .toPlainString();
    }
}
