package dev.evenkeel.access.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that a test moves. */
final class TestClock implements InstantSource {
    private volatile Instant now = Instant.parse("2030-01-01T00:00:00Z");

    @Override
    public Instant instant() {
        return now;
    }

    void advance(Duration time) {
        now = now.plus(time);
    }
}
