package dev.evenkeel.load.internal.proxy;

import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Failures of a random share of requests: the same requests, in their order, for the same seed.
 *
 * <p>A request that fails does not reach the API server. The answers 429 and 503 ask the client to try again after a
 * second, as those of API servers do.
 */
public final class Failures {
    /** No failures. */
    public static final Failures NONE = new Failures(0, 500, 0);

    /** The increment of the generator, which makes draw n independent of those before it. */
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private final double share;
    private final int status;
    private final long seed;
    private final AtomicLong draws = new AtomicLong();

    private Failures(double share, int status, long seed) {
        this.share = share;
        this.status = status;
        this.seed = seed;
    }

    /**
     * Returns failures.
     *
     * @param share the share of requests that fail, from 0 to 1
     * @param status the status code of their answers, such as 500 or 429
     * @param seed decides which requests fail
     */
    public static Failures of(double share, int status, long seed) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("share must be from 0 to 1: " + share);
        }
        if (status < 400 || status > 599) {
            throw new IllegalArgumentException("status must be from 400 to 599: " + status);
        }
        return new Failures(share, status, seed);
    }

    /** Returns the status code of the failure of the next request; empty if it does not fail. */
    OptionalInt next() {
        if (share == 0) {
            return OptionalInt.empty();
        }
        double drawn = new SplittableRandom(seed + draws.getAndIncrement() * GAMMA).nextDouble();
        return drawn < share ? OptionalInt.of(status) : OptionalInt.empty();
    }

    @Override
    public String toString() {
        return share + " of requests answered with " + status;
    }
}
