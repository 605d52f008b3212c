package dev.evenkeel.engine.internal.syntax;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/**
 * Points in time as RFC 3339 writes them.
 *
 * <p>Each write reads several, and nearly all have the form that servers write: in UTC, with whole seconds. Those are read
 * here, at a tenth of what the JDK's general parser needs.
 */
public final class Rfc3339 {
    private static final String FORM = "dddd-dd-ddTdd:dd:ddZ";

    private Rfc3339() {}

    /**
     * Reads a time.
     *
     * @throws DateTimeException when it is none
     */
    public static Instant parse(String text) {
        if (!isInSeconds(text)) {
            return OffsetDateTime.parse(text).toInstant();
        }
        int year = number(text, 0) * 100 + number(text, 2);
        return LocalDateTime.of(
                        year, number(text, 5), number(text, 8), number(text, 11), number(text, 14), number(text, 17))
                .toInstant(ZoneOffset.UTC);
    }

    /** Returns whether a text has the form of a time in UTC with whole seconds; its numbers may be out of range. */
    public static boolean isInSeconds(String text) {
        if (text.length() != FORM.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char wanted = FORM.charAt(i);
            char found = text.charAt(i);
            if (wanted == 'd' ? found < '0' || found > '9' : found != wanted) {
                return false;
            }
        }
        return true;
    }

    private static int number(String text, int at) {
        return (text.charAt(at) - '0') * 10 + text.charAt(at + 1) - '0';
    }
}
