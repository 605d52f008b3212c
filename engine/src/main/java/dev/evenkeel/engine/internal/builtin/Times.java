package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.json.Ages;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.syntax.GoTime;
import dev.evenkeel.engine.internal.syntax.Rfc3339;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Converts points in time from and to JSON text: UTC, with seconds or with microseconds. */
public final class Times {
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private Times() {}

    /** Formats with seconds. */
    public static String seconds(Instant time) {
        return SECONDS.format(time.truncatedTo(ChronoUnit.SECONDS));
    }

    /** Formats with microseconds. */
    public static String micros(Instant time) {
        return MICROS.format(time);
    }

    /**
     * Parses RFC 3339, as leniently as Go.
     *
     * @throws IllegalArgumentException in Go's words when it is something else
     */
    public static Instant parse(String text) {
        return parse(text, GoTime.RFC3339);
    }

    static Instant parse(String text, String layout) {
        if (layout.equals(GoTime.RFC3339) && Rfc3339.isInSeconds(text)) {
            try {
                return Rfc3339.parse(text);
            } catch (DateTimeException e) {
                // the parser below words it
            }
        }
        return GoTime.parse(text, layout);
    }

    /** Returns the age of the time under a path; {@code <unknown>} when there is none. */
    public static String since(@Nullable Object tree, Instant now, String... path) {
        String time = Json.string(tree, path);
        try {
            return time.isEmpty() ? "<unknown>" : Ages.between(parse(time), now);
        } catch (IllegalArgumentException e) {
            return "<unknown>";
        }
    }
}
