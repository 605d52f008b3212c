package dev.evenkeel.engine.internal.syntax;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;

/**
 * Reads a point in time as Go does by a layout, from left to right: an hour may have one digit, whole seconds may be
 * followed by a fraction after a point or comma, and errors name the part of the text and of the layout.
 */
public final class GoTime {
    /** The layout of RFC 3339, in which a fraction of the seconds is optional. */
    public static final String RFC3339 = "2006-01-02T15:04:05Z07:00";

    /** The layout of RFC 3339 with microseconds. */
    public static final String MICROS = "2006-01-02T15:04:05.000000Z07:00";

    private final String text;
    private final String layout;
    private int next;

    private GoTime(String text, String layout) {
        this.text = text;
        this.layout = layout;
    }

    /**
     * Reads a time.
     *
     * @param layout {@link #RFC3339} or {@link #MICROS}
     * @throws IllegalArgumentException in Go's words when the text does not have the layout
     */
    public static Instant parse(String text, String layout) {
        return new GoTime(text, layout).read();
    }

    private Instant read() {
        int year = year();
        skip('-');
        int month = number("01", true);
        if (month < 1 || month > 12) {
            throw outOfRange("month");
        }
        skip('-');
        int day = number("02", true);
        skip('T');
        int hour = inRange(number("15", false), 23, "hour");
        skip(':');
        int minute = inRange(number("04", true), 59, "minute");
        skip(':');
        int second = inRange(number("05", true), 59, "second");
        int nanos = layout.equals(MICROS) ? micros() : fraction();
        long offset = offset();
        if (next < text.length()) {
            throw error(": extra text: " + quoted(text.substring(next)));
        }
        if (day < 1 || day > YearMonth.of(year, month).lengthOfMonth()) {
            throw outOfRange("day");
        }
        return LocalDateTime.of(year, month, day, hour, minute, second, nanos)
                .toInstant(ZoneOffset.UTC)
                .minusSeconds(offset);
    }

    private int year() {
        int start = next;
        if (!digits(4)) {
            throw mismatch(start, "2006");
        }
        return Integer.parseInt(text, start, next, 10);
    }

    private void skip(char separator) {
        if (at(next) != separator) {
            throw mismatch(next, String.valueOf(separator));
        }
        next++;
    }

    /** Reads a number of two digits, or of one if it is not fixed. */
    private int number(String element, boolean fixed) {
        int start = next;
        if (!isDigit(start) || (fixed && !isDigit(start + 1))) {
            throw mismatch(start, element);
        }
        next += isDigit(start + 1) ? 2 : 1;
        return Integer.parseInt(text, start, next, 10);
    }

    private int inRange(int value, int last, String what) {
        if (value > last) {
            throw outOfRange(what);
        }
        return value;
    }

    /** Reads the six digits that the layout has. */
    private int micros() {
        int start = next;
        next++;
        if (!isSeparator(at(start)) || !digits(6)) {
            throw mismatch(start, ".000000");
        }
        return nanos(start + 1);
    }

    /** Reads the fraction that whole seconds may have. */
    private int fraction() {
        if (!isSeparator(at(next)) || !isDigit(next + 1)) {
            return 0;
        }
        int start = next + 1;
        while (isDigit(next + 1)) {
            next++;
        }
        next++;
        return nanos(start);
    }

    private int nanos(int start) {
        String digits = text.substring(start, Math.min(next, start + 9));
        return Integer.parseInt(digits + "0".repeat(9 - digits.length()));
    }

    /** Reads {@code Z} or the offset from UTC, in seconds. */
    private long offset() {
        int start = next;
        if (at(start) == 'Z') {
            next++;
            return 0;
        }
        char sign = at(start);
        boolean read = text.length() - start >= 6
                && at(start + 3) == ':'
                && isDigit(start + 1)
                && isDigit(start + 2)
                && isDigit(start + 4)
                && isDigit(start + 5);
        if (!read) {
            throw mismatch(start, "Z07:00");
        }
        next = start + 6;
        int hours = inRange(Integer.parseInt(text, start + 1, start + 3, 10), 24, "time zone offset hour");
        int minutes = inRange(Integer.parseInt(text, start + 4, start + 6, 10), 60, "time zone offset minute");
        if (sign != '+' && sign != '-') {
            throw mismatch(start, "Z07:00");
        }
        long seconds = hours * 3600L + minutes * 60L;
        return sign == '-' ? -seconds : seconds;
    }

    /** Steps over a number of digits; returns false if there are fewer. */
    private boolean digits(int count) {
        for (int i = 0; i < count; i++) {
            if (!isDigit(next + i)) {
                return false;
            }
        }
        next += count;
        return true;
    }

    private boolean isDigit(int index) {
        return at(index) >= '0' && at(index) <= '9';
    }

    private static boolean isSeparator(char c) {
        return c == '.' || c == ',';
    }

    /** Returns the character at an index; behind the end one that no layout has. */
    private char at(int index) {
        return index < text.length() ? text.charAt(index) : '\uffff';
    }

    private IllegalArgumentException mismatch(int from, String element) {
        return error(" as " + quoted(layout) + ": cannot parse " + quoted(text.substring(Math.min(from, text.length())))
                + " as " + quoted(element));
    }

    private IllegalArgumentException outOfRange(String what) {
        return error(": " + what + " out of range");
    }

    private IllegalArgumentException error(String what) {
        return new IllegalArgumentException("parsing time " + quoted(text) + what);
    }

    /** Quotes a text as this parser does: only ASCII is printed. */
    private static String quoted(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b == '"' || b == '\\') {
                out.append('\\').append((char) b);
            } else if (b < ' ') {
                out.append(String.format("\\x%02x", b & 0xff));
            } else {
                out.append((char) b);
            }
        }
        return out.append('"').toString();
    }
}
