package dev.evenkeel.load.internal.verdict;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;

/** The wording of figures in findings. */
final class Wording {
    private static final int MOST_NAMES = 3;

    private Wording() {}

    /** Returns a number with three significant digits. */
    static String number(double value) {
        if (!Double.isFinite(value)) {
            return String.valueOf(value);
        }
        if (value == 0) {
            return "0";
        }
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(3, RoundingMode.HALF_UP));
        return rounded.stripTrailingZeros().toPlainString();
    }

    /** Returns a share as percent; never rounds one under 1 up to 100 %. */
    static String percent(double share) {
        double percent = share * 100;
        return number(share < 1 ? Math.min(percent, 99.9) : percent) + " %";
    }

    /** Returns a time with its unit. */
    static String time(double seconds) {
        return Math.abs(seconds) < 1 ? number(seconds * 1_000) + " ms" : number(seconds) + " s";
    }

    /** Returns bytes with their unit. */
    static String bytes(double bytes) {
        double size = Math.abs(bytes);
        if (size < 1_000) {
            return number(bytes) + " bytes";
        }
        return size < 1e6 ? number(bytes / 1e3) + " kB" : number(bytes / 1e6) + " MB";
    }

    /** Returns a number of things. */
    static String count(long count, String singular, String plural) {
        return count + " " + (count == 1 ? singular : plural);
    }

    /** Returns the first names, and the number of the others. */
    static String names(List<String> names) {
        String first = String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())));
        return names.size() > MOST_NAMES ? first + " and " + (names.size() - MOST_NAMES) + " more" : first;
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
