package dev.evenkeel.testing.convergence;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The time of a trial: it goes on when it is told to. All restarts of the process share it with the server. */
final class VirtualClock extends Clock {
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");

    private long nanos;

    long nanos() {
        return nanos;
    }

    /** Goes on to this time, never back. */
    void advanceTo(long time) {
        nanos = Math.max(nanos, time);
    }

    @Override
    public Instant instant() {
        return BEGIN.plusNanos(nanos);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return Clock.fixed(instant(), zone);
    }
}
