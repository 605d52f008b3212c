package dev.evenkeel.controller;

import java.time.Duration;

/**
 * How long leases last. The defaults are those of client-go.
 *
 * @param lease how long others wait, without seeing a renewal, before they take the lease; whole seconds, default 15 s
 * @param renewDeadline how long after its last renewal the holder stops acting, by its own clock; default 10 s. The
 *     difference to {@code lease} is what clocks may run apart in that time
 * @param retry how often the holder renews and others look; default 2 s, for those who look with up to 1.2 times as much
 *     added by chance
 */
public record LeaseTiming(Duration lease, Duration renewDeadline, Duration retry) {
    /** What is added to a wait at most, as a share of it. */
    public static final double JITTER = 1.2;

    /** 15 s, 10 s, 2 s. */
    public static final LeaseTiming DEFAULT =
            new LeaseTiming(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    /** Refuses times that contradict each other. */
    public LeaseTiming {
        if (!positive(lease) || lease.toNanosPart() != 0) {
            throw new IllegalArgumentException("lease: " + lease
                    + " must be a positive number of whole seconds: Lease objects have no smaller unit");
        }
        if (!positive(retry)) {
            throw new IllegalArgumentException("retry: " + retry + " must be greater than zero");
        }
        if (renewDeadline.compareTo(lease) >= 0) {
            throw new IllegalArgumentException("renewDeadline: " + renewDeadline + " must be less than lease, " + lease
                    + ": the holder must stop before others may take over");
        }
        if (renewDeadline.toNanos() <= retry.toNanos() * JITTER) {
            throw new IllegalArgumentException("renewDeadline: " + renewDeadline + " must be greater than retry, "
                    + retry + ", times " + JITTER + ": else one missed renewal loses the lease");
        }
    }

    private static boolean positive(Duration duration) {
        return !duration.isNegative() && !duration.isZero();
    }
}
