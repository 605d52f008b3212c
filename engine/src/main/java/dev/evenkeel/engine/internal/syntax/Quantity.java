package dev.evenkeel.engine.internal.syntax;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * A quantity such as {@code 500m}, {@code 1.5Gi} or {@code 2e3}, as Kubernetes reads and writes it.
 *
 * <p>The canonical text has no fraction, the largest suffix that leaves none, and the family of suffixes in which the
 * quantity was written, and is kept as it was written where that is nearly so; binary quantities below 1024, or with a
 * fraction of a unit, fall back to decimal suffixes. Precision ends at nano, rounding away from zero; quantities in binary
 * notation beyond 2^63-1 are cut to it. Beyond an exponent of 1000, only the text is exact.
 */
public final class Quantity implements Comparable<Quantity> {
    /** The error for quantities that cannot be parsed. */
    public static final String FORMAT_ERROR =
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

    /** The error for quantities with an unknown suffix. */
    public static final String SUFFIX_ERROR = "unable to parse quantity's suffix";

    private static final int MAX_LENGTH = 256;

    /** Larger exponents are cut in the value: arithmetic would take their number of digits. */
    private static final int MAX_EXPONENT = 1000;

    /** Larger exponents are cut in the text too. */
    private static final int MOST_WRITTEN = 2_000_000_000;

    /** The number of digits that always fit in 64 bits. */
    private static final int MAX_DIGITS = 18;

    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final String DECIMAL = "num kMGTPE";
    private static final String BINARY = "KMGTPE";
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

    /** The amount 0, which takes the notation of what is added to it. */
    public static final Quantity ZERO = of(BigDecimal.ZERO);

    private enum Family {
        DECIMAL,
        BINARY,
        EXPONENT
    }

    private final BigDecimal value;
    private final Family family;
    private final String text;

    private Quantity(BigDecimal value, Family family) {
        this(value, family, "");
    }

    /** Creates a quantity with its text; empty when the text must be made. */
    private Quantity(BigDecimal value, Family family, String text) {
        this.value = value;
        this.family = family;
        this.text = text;
    }

    /**
     * Parses a quantity.
     *
     * @throws IllegalArgumentException with upstream's words when the text is not a quantity
     */
    public static Quantity parse(String text) {
        int length = text.length();
        if (length == 0 || length > MAX_LENGTH) {
            throw new IllegalArgumentException(FORMAT_ERROR);
        }
        int start = text.charAt(0) == '+' || text.charAt(0) == '-' ? 1 : 0;
        int point = digits(text, start);
        int end = point < length && text.charAt(point) == '.' ? digits(text, point + 1) : point;
        String suffix = text.substring(end);
        if (!isSuffix(suffix)) {
            throw new IllegalArgumentException(FORMAT_ERROR);
        }
        // a missing number is 0
        String whole = text.substring(start, point);
        String fraction = point < end ? text.substring(point + 1, end) : "";
        BigDecimal number = new BigDecimal(new BigInteger("0" + whole + fraction), fraction.length());
        if (text.charAt(0) == '-') {
            number = number.negate();
        }
        Family family = Family.DECIMAL;
        String exact = "";
        if (suffix.length() == 2 && suffix.charAt(1) == 'i' && BINARY.indexOf(suffix.charAt(0)) >= 0) {
            family = Family.BINARY;
            number = number.multiply(KIBI.pow(BINARY.indexOf(suffix.charAt(0)) + 1));
            if (number.compareTo(MAX) > 0) {
                number = MAX;
            } else if (number.compareTo(MAX.negate()) < 0) {
                number = MAX.negate();
            }
        } else if (suffix.length() == 1 && DECIMAL.indexOf(suffix.charAt(0)) >= 0) {
            number = number.scaleByPowerOfTen(3 * (DECIMAL.indexOf(suffix.charAt(0)) - 3));
        } else if (suffix.length() > 1 && (suffix.charAt(0) == 'e' || suffix.charAt(0) == 'E')) {
            family = Family.EXPONENT;
            int exponent = exponent(suffix.substring(1));
            if (exponent > MAX_EXPONENT && number.signum() != 0) {
                BigDecimal huge = number.scaleByPowerOfTen(Math.min(exponent, MOST_WRITTEN));
                exact = isShortDecimal(digits(whole, fraction), whole, huge.scale())
                        ? text
                        : new Quantity(huge, Family.EXPONENT).text();
            }
            number = number.scaleByPowerOfTen(Math.clamp(exponent, -MAX_EXPONENT, MAX_EXPONENT));
        } else if (!suffix.isEmpty()) {
            throw new IllegalArgumentException(SUFFIX_ERROR);
        }
        if (!exact.isEmpty()) {
            return new Quantity(number, family, exact);
        }
        String digits = digits(whole, fraction);
        boolean kept = family == Family.BINARY
                ? fraction.isEmpty() && isShortBinary(digits, BINARY.indexOf(suffix.charAt(0)) + 1)
                : isShortDecimal(digits, whole, number.scale());
        return new Quantity(
                number.scale() > 9 ? number.setScale(9, RoundingMode.UP) : number, family, kept ? text : "");
    }

    /** Returns the digits that a number is made of. */
    private static String digits(String whole, String fraction) {
        return whole.replaceFirst("^0+", "") + fraction;
    }

    /** Returns whether upstream keeps a text in decimal notation as it is written: it looks canonical, or nearly so. */
    private static boolean isShortDecimal(String digits, String whole, int scale) {
        return digits.length() <= MAX_DIGITS
                && scale <= 9
                && Math.floorMod(scale, 3) == 0
                && !digits.endsWith("000")
                && !whole.replace("0", "").isEmpty();
    }

    /** Returns the same for binary notation, given the power of 1024. */
    private static boolean isShortBinary(String digits, int power) {
        return !digits.isEmpty() && digits.length() + 3 * power <= 14 && (Long.parseLong(digits) & 7) != 0;
    }

    /** Returns the end of the digits that start at an index. */
    private static int digits(String text, int from) {
        int at = from;
        while (at < text.length() && digit(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /** Returns whether a text has the form of a suffix: letters, then a sign, then digits, each or none of them. */
    private static boolean isSuffix(String text) {
        int at = 0;
        while (at < text.length() && "eEinumkKMGTP".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
            at++;
        }
        return digits(text, at) == text.length();
    }

    /** Returns a quantity in decimal notation. */
    public static Quantity of(BigDecimal value) {
        return new Quantity(value, Family.DECIMAL);
    }

    /** Returns a whole number in decimal notation. */
    public static Quantity of(long value) {
        return of(BigDecimal.valueOf(value));
    }

    /** Returns the sum, in the notation of this quantity unless it is 0. */
    public Quantity plus(Quantity other) {
        return new Quantity(value.add(other.value), value.signum() == 0 ? other.family : family);
    }

    /** Returns the difference, in the notation of this quantity unless it is 0. */
    public Quantity minus(Quantity other) {
        return new Quantity(value.subtract(other.value), value.signum() == 0 ? other.family : family);
    }

    /** Returns the quantity rounded up to a whole number. */
    public Quantity roundedUp() {
        return roundedUp(0);
    }

    /** Returns the quantity rounded up to a number of decimal places. */
    public Quantity roundedUp(int places) {
        return new Quantity(value.setScale(places, RoundingMode.UP), family);
    }

    private static boolean digit(char c) {
        return c >= '0' && c <= '9';
    }

    private static int exponent(String text) {
        try {
            // of more than 32 bits the lower ones count, as upstream
            return (int) Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(SUFFIX_ERROR, e);
        }
    }

    /** Parses a quantity; empty when the text is not a quantity. */
    public static Optional<Quantity> read(String text) {
        try {
            return Optional.of(parse(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    public BigDecimal value() {
        return value;
    }

    /** Returns the canonical text. */
    public String text() {
        if (!text.isEmpty()) {
            return text;
        }
        if (value.signum() == 0) {
            return "0";
        }
        BigDecimal plain = value.stripTrailingZeros();
        if (family == Family.BINARY && value.abs().compareTo(KIBI) >= 0 && plain.scale() <= 0) {
            return binary();
        }
        BigInteger mantissa = plain.unscaledValue();
        int exponent = -plain.scale();
        int rest = Math.floorMod(exponent, 3);
        mantissa = mantissa.multiply(BigInteger.TEN.pow(rest));
        exponent -= rest;
        if (family == Family.EXPONENT) {
            return exponent == 0 ? mantissa.toString() : mantissa + "e" + exponent;
        }
        while (exponent > 18) {
            mantissa = mantissa.multiply(BigInteger.valueOf(1000));
            exponent -= 3;
        }
        return exponent == 0 ? mantissa.toString() : mantissa.toString() + DECIMAL.charAt(exponent / 3 + 3);
    }

    private String binary() {
        BigInteger whole = value.toBigIntegerExact();
        int suffix = -1;
        while (suffix < BINARY.length() - 1 && whole.getLowestSetBit() >= 10) {
            whole = whole.shiftRight(10);
            suffix++;
        }
        return suffix < 0 ? whole.toString() : whole.toString() + BINARY.charAt(suffix) + "i";
    }

    @Override
    public int compareTo(Quantity other) {
        return value.compareTo(other.value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Quantity quantity && value.compareTo(quantity.value) == 0;
    }

    @Override
    public int hashCode() {
        return value.stripTrailingZeros().hashCode();
    }

    @Override
    public String toString() {
        return text();
    }
}
