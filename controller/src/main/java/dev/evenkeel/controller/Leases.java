package dev.evenkeel.controller;

import java.time.Duration;

/**
 * How the processes that run the same controllers share them.
 *
 * @param namespace where the Lease objects are
 * @param identity who this process is: unlike all others
 * @param timing how long leases last
 */
public record Leases(String namespace, String identity, Timing timing) {
    /** Refuses what is not named. */
    public Leases {
        if (namespace.isEmpty()) {
            throw new IllegalArgumentException("namespace: leases need one, such as that of the pod");
        }
        if (identity.isEmpty()) {
            throw new IllegalArgumentException("identity: every process needs its own, such as the name of the pod");
        }
    }

    /** Leases in a namespace, with the usual times. */
    public static Leases in(String namespace, String identity) {
        return new Leases(namespace, identity, Timing.DEFAULT);
    }

    /** The same with these times; all processes need the same. */
    public Leases withTiming(Timing value) {
        return new Leases(namespace, identity, value);
    }

    /**
     * How long leases last. The defaults are those of client-go.
     *
     * @param lease how long others wait, without seeing a renewal, before they take the lease; whole seconds, default 15 s
     * @param renewDeadline how long after its last renewal the holder stops acting, by its own clock; default 10 s. The
     *     difference to {@code lease} is what clocks may run apart in that time
     * @param retry how often the holder renews and others look; default 2 s, for those who look with up to 1.2 times as much
     *     added by chance
     */
    public record Timing(Duration lease, Duration renewDeadline, Duration retry) {
        /** What is added to a wait at most, as a share of it. */
        public static final double JITTER = 1.2;

        /** 15 s, 10 s, 2 s. */
        public static final Timing DEFAULT =
                new Timing(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

        /** Refuses times that contradict each other. */
        public Timing {
            if (!positive(lease) || lease.toNanosPart() != 0) {
                throw new IllegalArgumentException("lease: " + lease
                        + " must be a positive number of whole seconds: Lease objects have no smaller unit");
            }
            if (!positive(retry)) {
                throw new IllegalArgumentException("retry: " + retry + " must be greater than zero");
            }
            if (renewDeadline.compareTo(lease) >= 0) {
                throw new IllegalArgumentException("renewDeadline: " + renewDeadline + " must be less than lease, "
                        + lease + ": the holder must stop before others may take over");
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
}
