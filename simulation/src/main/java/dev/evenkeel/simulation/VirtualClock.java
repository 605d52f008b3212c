package dev.evenkeel.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that moves only when it is moved, and back only if it {@linkplain #jump jumps}. Not safe for use by several threads. */
public final class VirtualClock extends Clock {
    private final Instant start;
    private volatile long nanos;
    private volatile Duration offset = Duration.ZERO;

    /** Creates a clock that shows this time. */
    public VirtualClock(Instant start) {
        this.start = start;
    }

    /** Returns the nanoseconds since the start. */
    public long nanos() {
        return nanos;
    }

    /** Moves the clock forward by this duration. */
    public void advance(Duration duration) {
        advanceTo(nanos + duration.toNanos());
    }

    /** Sets the shown time forward or back, as an operator or a time server does; nothing becomes due by that. */
    public void jump(Duration duration) {
        offset = offset.plus(duration);
    }

    /** Moves the clock to this number of nanoseconds since the start; does nothing if that is in the past. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread moves it; others may read it
    void advanceTo(long time) {
        nanos = Math.max(nanos, time);
    }

    @Override
    public Instant instant() {
        return start.plusNanos(nanos).plus(offset);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return zone.equals(ZoneOffset.UTC) ? this : fixed(instant(), zone);
    }
}
