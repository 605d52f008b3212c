package dev.evenkeel.controller.internal.queue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Durations as numbers of nanoseconds that can be added without overflow. */
public final class Nanos {
    /** 73 years, in place of any longer duration. */
    public static final long LONGEST = Long.MAX_VALUE / 4;

    private Nanos() {}

    public static long of(Duration duration) {
        return Math.clamp(TimeUnit.NANOSECONDS.convert(duration), -LONGEST, LONGEST);
    }
}
