package dev.evenkeel.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** Durations as written in options: {@code 500ms}, {@code 90s}, {@code 10m}, {@code 8h}. */
final class Durations implements CommandLine.ITypeConverter<Duration> {
    private static final Pattern SYNTAX = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

    @Override
    public Duration convert(String value) {
        Matcher matcher = SYNTAX.matcher(value);
        if (!matcher.matches()) {
            throw new CommandLine.TypeConversionException(
                    "'" + value + "' is not a duration: use a number and ms, s, m or h, such as 90s");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }

    /** Formats a duration in the same notation. */
    static String text(Duration duration) {
        if (duration.toMillis() % 1000 != 0) {
            return duration.toMillis() + "ms";
        }
        return duration.toSeconds() % 60 == 0 ? duration.toMinutes() + "m" : duration.toSeconds() + "s";
    }
}
