package dev.evenkeel.grpc.internal.resource;

import com.google.protobuf.Timestamp;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Translates times between texts of objects and timestamps. */
final class Times {
    private Times() {}

    /** Returns the time of a text; empty when it is none. */
    static Optional<Timestamp> timestamp(String text) {
        return instant(text).map(Times::timestamp);
    }

    /** Returns the time of a text; empty when it is none. */
    static Optional<Instant> instant(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private static Timestamp timestamp(Instant time) {
        return Timestamp.newBuilder()
                .setSeconds(time.getEpochSecond())
                .setNanos(time.getNano())
                .build();
    }
}
