package dev.evenkeel.client;

/** Compares 64-bit integers in text, in place: label matching must not allocate, not even for an exception. */
final class Decimal {
    private Decimal() {}

    /** Returns whether the text is an optional sign and digits, within 64 bits. */
    static boolean isLong(String text) {
        int start = start(text);
        if (start == text.length()) {
            return false;
        }
        boolean negative = start == 1 && text.charAt(0) == '-';
        long value = 0;
        for (int i = start; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return false;
            }
            // counted downwards: there is one more negative number than positive ones
            if (value < Long.MIN_VALUE / 10 || value * 10 < Long.MIN_VALUE + digit) {
                return false;
            }
            value = value * 10 - digit;
        }
        return negative || value != Long.MIN_VALUE;
    }

    /** Greater than 0 when left is greater; 0 or less when it is not, or when one of both is not an integer. */
    static int compare(String left, String right) {
        return isLong(left) && isLong(right) ? Long.compare(value(left), value(right)) : 0;
    }

    private static long value(String text) {
        int start = start(text);
        long value = 0;
        for (int i = start; i < text.length(); i++) {
            value = value * 10 - (text.charAt(i) - '0');
        }
        return text.charAt(0) == '-' ? value : -value;
    }

    private static int start(String text) {
        return text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    }
}
