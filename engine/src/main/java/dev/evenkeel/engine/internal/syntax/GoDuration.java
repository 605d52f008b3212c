package dev.evenkeel.engine.internal.syntax;

import dev.evenkeel.engine.internal.json.Json;
import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations in Go's notation, such as {@code 1h30m} or {@code -1.5s}. */
public final class GoDuration {
    /** The units, in nanoseconds. */
    public static final Map<String, Long> UNITS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "µs", 1_000L,
            "μs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);

    private static final Pattern PART = Pattern.compile("([0-9]*\\.[0-9]*|[0-9]+)([^.0-9]*)", Pattern.DOTALL);

    private GoDuration() {}

    /**
     * Reads a duration, which may be of any length.
     *
     * @return nanoseconds, and parts of them
     * @throws IllegalArgumentException when it is none; with Go's error
     */
    public static BigDecimal nanos(String text) {
        boolean negative = text.startsWith("-");
        String rest = negative || text.startsWith("+") ? text.substring(1) : text;
        if (rest.equals("0")) {
            return BigDecimal.ZERO;
        }
        if (rest.isEmpty()) {
            throw invalid(text);
        }
        BigDecimal total = BigDecimal.ZERO;
        Matcher part = PART.matcher(rest);
        for (int end = 0; end < rest.length(); end = part.end()) {
            if (!part.region(end, rest.length()).lookingAt() || part.group(1).equals(".")) {
                throw invalid(text);
            }
            String unit = part.group(2);
            if (unit.isEmpty()) {
                throw new IllegalArgumentException("missing unit in duration " + Json.text(text));
            }
            Long nanos = UNITS.get(unit);
            if (nanos == null) {
                throw new IllegalArgumentException(
                        "unknown unit " + Json.text(unit) + " in duration " + Json.text(text));
            }
            String number = "0" + part.group(1) + (part.group(1).endsWith(".") ? "0" : "");
            total = total.add(new BigDecimal(number).multiply(BigDecimal.valueOf(nanos)));
        }
        return negative ? total.negate() : total;
    }

    /** Returns the error of a text that cannot be read as a duration, or of one that is too long. */
    public static IllegalArgumentException invalid(String text) {
        return new IllegalArgumentException("invalid duration " + Json.text(text));
    }
}
