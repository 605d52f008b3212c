package dev.evenkeel.controller;

import java.time.Duration;

/**
 * The leases by which the processes that run the same controllers share them.
 *
 * @param namespace the namespace of the Lease objects
 * @param identity the identity of this process, unique among all processes
 */
public record Leases(String namespace, String identity, Timing timing) {
    /** Refuses an empty namespace or identity. */
    public Leases {
        if (namespace.isEmpty()) {
            throw new IllegalArgumentException("namespace: must not be empty, for leases: such as that of the pod");
        }
        if (identity.isEmpty()) {
            throw new IllegalArgumentException(
                    "identity: must not be empty and differ between processes, such as the name of the pod");
        }
    }

    /** Returns leases in a namespace, with the default durations. */
    public static Leases in(String namespace, String identity) {
        return new Leases(namespace, identity, Timing.DEFAULT);
    }

    /** Returns a copy with the given durations, which must be the same in all processes. */
    public Leases timing(Timing value) {
        return new Leases(namespace, identity, value);
    }

    /**
     * The durations of leases. The defaults are those of client-go.
     *
     * @param lease the time without a renewal after which another process takes the lease; whole seconds, default 15 s
     * @param renewDeadline the time after its last renewal at which the holder stops, by its own clock; default 10 s.
     *     The difference to {@code lease} is the tolerated clock drift
     * @param retry the interval at which the holder renews the lease and candidates read it; default 2 s. Candidates
     *     add a random delay of up to {@link #JITTER} times the interval
     */
    public record Timing(Duration lease, Duration renewDeadline, Duration retry) {
        /** The largest random delay of a candidate, as a multiple of the interval. */
        public static final double JITTER = 1.2;

        /** The defaults: 15 s, 10 s, 2 s. */
        public static final Timing DEFAULT =
                new Timing(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

        /** Refuses durations that contradict each other. */
        public Timing {
            if (!lease.isPositive() || lease.toNanosPart() != 0) {
                throw new IllegalArgumentException("lease: " + lease
                        + " must be a positive number of whole seconds: Lease objects have no smaller unit");
            }
            if (!retry.isPositive()) {
                throw new IllegalArgumentException("retry: " + retry + " must be greater than zero");
            }
            if (renewDeadline.compareTo(lease) >= 0) {
                throw new IllegalArgumentException("renewDeadline: " + renewDeadline + " must be less than lease, "
                        + lease + ": the holder must stop before another process may take over");
            }
            if (renewDeadline.toNanos() <= retry.toNanos() * JITTER) {
                throw new IllegalArgumentException("renewDeadline: " + renewDeadline + " must be greater than retry, "
                        + retry + ", times " + JITTER + ": else one missed renewal loses the lease");
            }
        }
    }
}
