package dev.evenkeel.engine.builtin;

import dev.evenkeel.engine.json.Json;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Spans of time as tables show them: coarse, in two units at most, such as {@code 5m30s} or {@code 2d}. */
public final class Ages {
    private Ages() {}

    /** A span; {@code <invalid>} when it is negative by more than a second. */
    public static String text(Duration span) {
        long seconds = span.toSeconds();
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 0) {
            return "0s";
        }
        if (seconds < 120) {
            return seconds + "s";
        }
        long minutes = seconds / 60;
        if (minutes < 10) {
            return pair(minutes, "m", seconds % 60, "s");
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        long hours = minutes / 60;
        if (hours < 8) {
            return pair(hours, "h", minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        long days = hours / 24;
        if (hours < 192) {
            return pair(days, "d", hours % 24, "h");
        }
        if (days < 730) {
            return days + "d";
        }
        if (days < 2920) {
            return pair(days / 365, "y", days % 365, "d");
        }
        return days / 365 + "y";
    }

    private static String pair(long large, String largeUnit, long small, String smallUnit) {
        return large + largeUnit + (small == 0 ? "" : small + smallUnit);
    }

    /** How long ago the time under a path was; {@code <unknown>} when there is none. */
    public static String since(@Nullable Object tree, Instant now, String... path) {
        String time = Json.string(tree, path);
        if (time.isEmpty()) {
            return "<unknown>";
        }
        try {
            return text(Duration.between(Times.parse(time), now));
        } catch (IllegalArgumentException e) {
            return "<unknown>";
        }
    }
}
