package dev.evenkeel.engine.internal.cel;

import dev.evenkeel.engine.internal.json.Numbers;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Formats values as text. */
final class Texts {
    private Texts() {}

    /** Returns the number of code points of a text, which is its size in CEL. */
    static int size(String text) {
        return text.codePointCount(0, text.length());
    }

    /** Returns the part of a text between two code points. */
    static String part(String text, int from, int to) {
        int start = text.offsetByCodePoints(0, from);
        return text.substring(start, text.offsetByCodePoints(start, to - from));
    }

    /** Returns a scalar as shown in messages. */
    static String plain(Object value) {
        String text = scalar(value);
        return text == null ? value.toString() : text;
    }

    /** Returns the result of {@code string()} for a value; null when it has no text. */
    static @Nullable String scalar(Object value) {
        return switch (value) {
            case String text -> text;
            case Boolean unused -> value.toString();
            case Long unused -> value.toString();
            case Unsigned unused -> value.toString();
            case Double number -> number(number);
            case Octets octets -> octets.text().orElse(null);
            case Duration duration -> Timestamps.text(duration);
            case Instant time -> Timestamps.text(time);
            case Networks.Address address -> address.text();
            case Networks.Prefix prefix -> prefix.text();
            default -> null;
        };
    }

    /** Returns a number as Go prints it in short form. */
    static String number(double number) {
        if (Double.isNaN(number)) {
            return "NaN";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "+Inf" : "-Inf";
        }
        return Numbers.general(number);
    }
}
