package dev.evenkeel.server.internal.http;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The notation of durations in query parameters, such as {@code 1m30s}: that of Go's {@code time.ParseDuration}. */
public final class GoDuration {
    private static final Pattern PART = Pattern.compile("(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)([^0-9.]*)");
    private static final Set<String> UNITS = Set.of("ns", "us", "\u00b5s", "\u03bcs", "ms", "s", "m", "h");

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
            if (!UNITS.contains(unit)) {
                return "time: unknown unit " + Failures.quoted(unit) + " in duration " + Failures.quoted(text);
            }
            start = part.end();
        } while (start < text.length());
        return "";
    }
}
