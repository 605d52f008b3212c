package dev.evenkeel.engine.internal.cel;

import dev.evenkeel.engine.internal.syntax.GoDuration;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations and timestamps: parsing, formatting, arithmetic and their parts. */
final class Timestamps {
    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");
    // a fixed pattern, in which each character matches in one way only
    private static final Pattern PROSE = Pattern.compile("(\\d+)\\s*([A-Za-zµ]+)");
    /** The functions that return a part. */
    static final List<String> PARTS = List.of(
            ("getFullYear getMonth getDayOfYear getDayOfMonth getDate getDayOfWeek getHours getMinutes getSeconds "
                            + "getMilliseconds")
                    .split(" ", -1));

    /** The beginnings of words for units, in nanoseconds. */
    private static final Map<String, Long> WORDS = Map.of(
            "nano", 1L,
            "micro", 1_000L,
            "milli", 1_000_000L,
            "sec", 1_000_000_000L,
            "min", 60_000_000_000L,
            "h", 3_600_000_000_000L,
            "d", 86_400_000_000_000L,
            "w", 604_800_000_000_000L);

    private Timestamps() {}

    /** Parses a duration in Go's notation, such as {@code 1h30m}. */
    static Optional<Duration> goDuration(String text) {
        try {
            return nanos(GoDuration.nanos(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<Duration> nanos(BigDecimal nanos) {
        try {
            return Optional.of(
                    Duration.ofNanos(nanos.setScale(0, RoundingMode.DOWN).longValueExact()));
        } catch (ArithmeticException e) {
            return Optional.empty();
        }
    }

    /** Parses a duration in Go's notation, or in words such as {@code 5 days}, as allowed by formats. */
    static Optional<Duration> duration(String text) {
        Optional<Duration> go = goDuration(text);
        if (go.isPresent()) {
            return go;
        }
        Matcher part = PROSE.matcher(text);
        BigDecimal nanos = BigDecimal.ZERO;
        boolean found = false;
        while (part.find()) {
            long unit = unit(part.group(2).toLowerCase(Locale.ROOT));
            found |= unit > 0;
            nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
        }
        return found ? nanos(nanos) : Optional.empty();
    }

    private static long unit(String name) {
        Long exact = GoDuration.UNITS.get(name);
        return exact != null
                ? exact
                : WORDS.entrySet().stream()
                        .filter(word -> name.startsWith(word.getKey()))
                        .mapToLong(Map.Entry::getValue)
                        .findAny()
                        .orElse(0);
    }

    /** Parses a timestamp of RFC 3339 between the years 1 and 9999. */
    static Optional<Instant> timestamp(String text) {
        try {
            Instant time = OffsetDateTime.parse(text.replace(' ', 'T'), DateTimeFormatter.ISO_OFFSET_DATE_TIME)
                    .toInstant();
            return inRange(time) ? Optional.of(time) : Optional.empty();
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static boolean inRange(Instant time) {
        return !time.isBefore(FIRST) && !time.isAfter(LAST);
    }

    /** Formats as seconds with as many decimals as needed, such as {@code 1.5s}. */
    static String text(Duration duration) {
        BigDecimal seconds = BigDecimal.valueOf(duration.getSeconds()).add(BigDecimal.valueOf(duration.getNano(), 9));
        return (seconds.signum() == 0 ? "0" : seconds.stripTrailingZeros().toPlainString()) + "s";
    }

    /** Formats as RFC 3339 in UTC. */
    static String text(Instant time) {
        return DateTimeFormatter.ISO_INSTANT.format(time);
    }

    /** Returns a sum of times, or a {@link Problem}. */
    static Object plus(Object left, Object right) {
        try {
            if (left instanceof Duration a && right instanceof Duration b) {
                return checked(a.plus(b));
            }
            Instant time = left instanceof Instant a ? a : (Instant) right;
            Duration by = (Duration) (left instanceof Instant ? right : left);
            return checked(time.plus(by));
        } catch (ArithmeticException | DateTimeException e) {
            return new Problem("timestamp overflow");
        }
    }

    /** Returns a difference of times, or a {@link Problem}. */
    static Object minus(Object left, Object right) {
        try {
            if (left instanceof Duration a) {
                return checked(a.minus((Duration) right));
            }
            return right instanceof Instant b
                    ? checked(Duration.between(b, (Instant) left))
                    : checked(((Instant) left).minus((Duration) right));
        } catch (ArithmeticException | DateTimeException e) {
            return new Problem("timestamp overflow");
        }
    }

    static Object checked(Duration duration) {
        try {
            return Duration.ofNanos(duration.toNanos());
        } catch (ArithmeticException e) {
            return new Problem("duration overflow");
        }
    }

    private static Object checked(Instant time) {
        return inRange(time) ? time : new Problem("timestamp overflow");
    }

    /** Returns a part of a timestamp in a time zone, or a whole number of units of a duration. */
    static Object part(String name, Object value, String zone) {
        if (value instanceof Duration duration) {
            return switch (name) {
                case "getHours" -> duration.toHours();
                case "getMinutes" -> duration.toMinutes();
                case "getSeconds" -> duration.getSeconds() + (duration.isNegative() && duration.getNano() > 0 ? 1 : 0);
                case "getMilliseconds" -> duration.toMillis();
                default -> Problem.NO_SUCH_OVERLOAD;
            };
        }
        if (!(value instanceof Instant time)) {
            return Problem.NO_SUCH_OVERLOAD;
        }
        ZonedDateTime at;
        try {
            at = time.atZone(zone.isEmpty() ? ZoneOffset.UTC : zone(zone));
        } catch (DateTimeException e) {
            return new Problem("unknown time zone " + zone);
        }
        return switch (name) {
            case "getFullYear" -> (long) at.getYear();
            case "getMonth" -> at.getMonthValue() - 1L;
            case "getDayOfYear" -> at.getDayOfYear() - 1L;
            case "getDayOfMonth" -> at.getDayOfMonth() - 1L;
            case "getDate" -> (long) at.getDayOfMonth();
            case "getDayOfWeek" -> at.getDayOfWeek().getValue() % 7L;
            case "getHours" -> (long) at.getHour();
            case "getMinutes" -> (long) at.getMinute();
            case "getSeconds" -> (long) at.getSecond();
            case "getMilliseconds" -> at.getNano() / 1_000_000L;
            default -> Problem.NO_SUCH_OVERLOAD;
        };
    }

    private static ZoneId zone(String text) {
        return Character.isDigit(text.charAt(0)) ? ZoneOffset.of("+" + text) : ZoneId.of(text);
    }
}
