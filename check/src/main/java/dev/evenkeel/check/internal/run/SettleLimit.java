package dev.evenkeel.check.internal.run;

import java.time.Duration;

/**
 * The time in which a controller must settle.
 *
 * <p>One that makes requests has this time. One that only uses the processor may be slow because others use it too, such as
 * a JVM that still compiles: it fails when it has used the processor for half of the time, or after five times the time.
 */
record SettleLimit(Duration time) {
    private static final int MOST_TIMES = 5;

    /**
     * Returns whether the controller has failed to settle.
     *
     * @param elapsed time since the controller was disturbed, in nanoseconds
     * @param worked processor time that it has used since then, in nanoseconds
     * @param requests whether it has made requests lately
     */
    boolean isExceeded(long elapsed, long worked, boolean requests) {
        long limit = time.toNanos();
        return elapsed > limit && (requests || worked > limit / 2 || elapsed > MOST_TIMES * limit);
    }
}
