package dev.evenkeel.server.internal.http;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The notation of durations in query parameters, such as {@code 1m30s}: that of Go's {@code time.ParseDuration}. */
public final class GoDuration {
    private static final Pattern PART = Pattern.compile("(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)([^0-9.]*)");
    /** The nanoseconds of each unit. */
    private static final Map<String, Long> UNITS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "\u00b5s", 1_000L,
            "\u03bcs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);

    private GoDuration() {}

    /** Returns the error of a text in Go's words; empty for a duration. */
    public static String problem(String text) {
        int start = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
        if (text.substring(start).equals("0")) {
            return "";
        }
        Matcher part = PART.matcher(text);
        do {
            if (!part.region(start, text.length()).lookingAt()) {
                return "time: invalid duration " + Failures.quoted(text);
            }
            String unit = part.group(1);
            if (unit.isEmpty()) {
                return "time: missing unit in duration " + Failures.quoted(text);
            }
            if (!UNITS.containsKey(unit)) {
                return "time: unknown unit " + Failures.quoted(unit) + " in duration " + Failures.quoted(text);
            }
            start = part.end();
        } while (start < text.length());
        return "";
    }

    /** Returns the duration of a text without {@link #problem}; a longer one than 292 years is that long. */
    public static Duration parse(String text) {
        BigDecimal nanos = BigDecimal.ZERO;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            String unit = part.group(1);
            String number = part.group().substring(0, part.group().length() - unit.length());
            nanos = nanos.add(new BigDecimal(number).multiply(BigDecimal.valueOf(UNITS.getOrDefault(unit, 0L))));
        }
        long most = nanos.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue();
        return Duration.ofNanos(text.startsWith("-") ? -most : most);
    }
}
