package dev.evenkeel.engine.internal.json;

import java.time.Duration;
import java.time.Instant;

/** The age of something, in the compact form of table columns: {@code 56s}, {@code 4m18s}, {@code 2d5h}. */
public final class Ages {
    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final long YEAR = 365 * DAY;

    private Ages() {}

    /** Formats the time from one instant to another as {@link #of}. */
    public static String between(Instant from, Instant to) {
        return of(Duration.between(from, to));
    }

    /**
     * Formats a span of time as upstream prints it: seconds below 2 minutes, minutes and seconds below 10, minutes
     * below 3 hours, hours and minutes below 8, hours below 2 days, days and hours below 8, days below 2 years, years
     * and days below 8, then years. {@code <invalid>} when it is 2 seconds or more in the future.
     */
    public static String of(Duration age) {
        // towards zero, as a second in the future may result from clock skew
        long seconds = age.isNegative() ? -age.negated().toSeconds() : age.toSeconds();
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 2 * MINUTE) {
            return Math.max(seconds, 0) + "s";
        }
        if (seconds < 3 * HOUR) {
            return text(seconds, seconds < 10 * MINUTE, MINUTE, "m", 1, "s");
        }
        if (seconds < 2 * DAY) {
            return text(seconds, seconds < 8 * HOUR, HOUR, "h", MINUTE, "m");
        }
        return seconds < 2 * YEAR
                ? text(seconds, seconds < 8 * DAY, DAY, "d", HOUR, "h")
                : text(seconds, seconds < 8 * YEAR, YEAR, "y", DAY, "d");
    }

    private static String text(long seconds, boolean both, long large, String largeUnit, long small, String smallUnit) {
        long rest = both ? seconds % large / small : 0;
        return seconds / large + largeUnit + (rest == 0 ? "" : rest + smallUnit);
    }
}
