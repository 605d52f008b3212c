package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.Numbers;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Ranges and factors of numbers. Limits are doubles, as upstream; whole numbers are compared exactly.
 *
 * @param type {@code integer}, {@code number}, or empty when the schema allows several types
 * @param format a format of that type; empty when none
 */
record NumberLimits(
        String type,
        String format,
        @Nullable Double multipleOf,
        @Nullable Double maximum,
        boolean exclusiveMaximum,
        @Nullable Double minimum,
        boolean exclusiveMinimum) {
    private static final double MAX_JSON_INTEGER = (1L << 53) - 1;

    static NumberLimits of(JsonObject source, String type, String format) {
        boolean numeric = type.equals("integer") || type.equals("number");
        return new NumberLimits(
                numeric ? type : "",
                numeric ? format : "",
                number(source, "multipleOf"),
                number(source, "maximum"),
                source.bool("exclusiveMaximum"),
                number(source, "minimum"),
                source.bool("exclusiveMinimum"));
    }

    private static @Nullable Double number(JsonObject source, String key) {
        return source.get(key) instanceof Number number ? number.doubleValue() : null;
    }

    void validate(Number value, Validation run) {
        range(value, "Checked", run);
        if (multipleOf != null) {
            if (range(multipleOf, "MultipleOf", run) && value instanceof Long number) {
                wholeMultiple(number, (long) (double) multipleOf, run);
            } else {
                multiple(value, multipleOf, run);
            }
        }
        if (minimum != null && range(minimum, "Minimum boundary", run)) {
            bound(value, minimum, exclusiveMinimum, -1, "greater", run);
        }
        if (maximum != null && range(maximum, "Maximum boundary", run)) {
            bound(value, maximum, exclusiveMaximum, 1, "less", run);
        }
    }

    /** Returns true if a double is a whole number, as far as its precision allows. */
    static boolean isWhole(double value) {
        if (Double.isNaN(value) || Math.abs(value) > MAX_JSON_INTEGER) {
            return false;
        }
        double whole = value < 0 ? Math.ceil(value) : Math.floor(value);
        double distance = Math.abs(value - whole);
        if (value == whole) {
            return true;
        }
        if (value == 0 || whole == 0 || distance < Double.MIN_NORMAL) {
            return distance < 1e-9 * Double.MIN_NORMAL;
        }
        return distance / Math.min(Math.abs(value) + Math.abs(whole), Double.MAX_VALUE) < 1e-9;
    }

    private boolean range(Number value, String what, Validation run) {
        if (type.equals("integer")) {
            long max = format.equals("int32") ? Integer.MAX_VALUE : Long.MAX_VALUE;
            if (!isInteger(value, max)) {
                String suffix = format.isEmpty() ? " (default format)" : " with format " + format;
                run.general(what + " value must be of type integer" + suffix + " in " + run.trail.dotted());
                return false;
            }
        } else if (format.equals("float") && Float.isInfinite(value.floatValue())) {
            run.general(what + " value must be of type number with format float in " + run.trail.dotted());
            return false;
        }
        return true;
    }

    private static boolean isInteger(Number value, long max) {
        if (value instanceof Long number) {
            return number <= max && number >= -max - 1;
        }
        double number = value.doubleValue();
        if (number != Math.rint(number)) {
            return false;
        }
        BigDecimal exact = new BigDecimal(number);
        return exact.compareTo(BigDecimal.valueOf(max)) <= 0 && exact.compareTo(BigDecimal.valueOf(-max - 1)) >= 0;
    }

    private static void wholeMultiple(long value, long factor, Validation run) {
        if (factor <= 0) {
            run.badFactor(factor);
        } else if (value % factor != 0) {
            run.invalid(value, "should be a multiple of " + factor);
        }
    }

    private static void multiple(Number value, double factor, Validation run) {
        double data = value.doubleValue();
        if (factor <= 0) {
            run.badFactor(factor);
        } else if (!isWhole(factor < 1 ? 1 / factor * data : data / factor)) {
            run.invalid(value, "should be a multiple of " + Numbers.general(factor));
        }
    }

    private static void bound(Number value, double limit, boolean exclusive, int sign, String word, Validation run) {
        int beyond = sign
                * (value instanceof Long number
                        ? Long.compare(number, (long) limit)
                        : Double.compare(value.doubleValue(), limit));
        if (beyond > 0 || (exclusive && beyond == 0)) {
            String shown = value instanceof Long ? Long.toString((long) limit) : Numbers.general(limit);
            run.invalid(value, "should be " + word + " than " + (exclusive ? "" : "or equal to ") + shown);
        }
    }
}
