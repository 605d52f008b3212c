package dev.evenkeel.controller;

import dev.evenkeel.client.Backoff;
import dev.evenkeel.controller.internal.queue.Bucket;
import dev.evenkeel.controller.internal.queue.Nanos;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;

/**
 * Computes the delays of keys that failed.
 *
 * <p>A limiter is a value without state; one may be used for many queues. State other than the failures of a key, which
 * the queue itself counts, is in the {@link Delays} that each queue starts.
 */
@FunctionalInterface
public interface RateLimiter {
    /** Starts the delays of one queue. */
    Delays start();

    /** The delays of one queue. Called by several threads at once, with no lock held. */
    @FunctionalInterface
    interface Delays {
        /**
         * Returns the delay of a key in nanoseconds.
         *
         * @param key key
         * @param failures number of failures in a row before this one; 0 at the first failure
         * @param now monotonic time in nanoseconds
         * @param random random source
         */
        long nanos(Object key, int failures, long now, RandomGenerator random);

        /** Called for a key that did not fail: its state can be dropped. */
        default void forget(Object key) {}
    }

    /** Returns exponential delays from 5 ms to 1000 s, up to a tenth longer: 5, 10, 20 ms … 655 s, 1000 s. */
    static RateLimiter standard() {
        return backoff(Backoff.exponential(Duration.ofMillis(5), Duration.ofSeconds(1000))
                .jitter(0.1));
    }

    /** Returns delays that double with each failure in a row. */
    static RateLimiter exponential(Duration first, Duration max) {
        return backoff(Backoff.exponential(first, max));
    }

    /** Returns a limiter whose delays grow with each failure in a row. */
    static RateLimiter backoff(Backoff backoff) {
        Delays delays =
                (key, failures, now, random) -> backoff.delay(failures, random).toNanos();
        return () -> delays;
    }

    /** Returns one delay for the first failures of a key, another from then on. */
    static RateLimiter fastSlow(Duration fast, Duration slow, int fastTries) {
        if (fast.isNegative() || slow.isNegative() || fastTries < 0) {
            throw new IllegalArgumentException(
                    "fast, slow and fastTries must not be negative: " + fast + ", " + slow + ", " + fastTries);
        }
        long first = Nanos.of(fast);
        long then = Nanos.of(slow);
        Delays delays = (key, failures, now, random) -> failures < fastTries ? first : then;
        return () -> delays;
    }

    /**
     * Returns a token bucket that all keys share: a burst at once, then a rate per second. A key that finds it empty
     * reserves a future token and waits for it.
     */
    static RateLimiter bucket(double perSecond, int burst) {
        if (!(perSecond > 0) || burst < 1) {
            throw new IllegalArgumentException("a bucket must be filled with more than 0 a second and hold at least 1: "
                    + perSecond + ", " + burst);
        }
        return () -> new Bucket(perSecond, burst);
    }

    /** Returns the longest delay of several limiters, all of which count each failure. */
    static RateLimiter maxOf(RateLimiter... limiters) {
        List<RateLimiter> all = List.of(limiters);
        return () -> longest(all.stream().map(RateLimiter::start).toList(), (nanos, random) -> nanos);
    }

    private static Delays longest(List<Delays> started, BiFunction<Long, RandomGenerator, Long> adjustment) {
        return new Delays() {
            @Override
            public long nanos(Object key, int failures, long now, RandomGenerator random) {
                long longest = 0;
                for (Delays delays : started) {
                    longest = Math.max(longest, delays.nanos(key, failures, now, random));
                }
                return adjustment.apply(longest, random);
            }

            @Override
            public void forget(Object key) {
                started.forEach(delays -> delays.forget(key));
            }
        };
    }

    /** Returns a limiter that is started for each key separately, and dropped when the key is forgotten. */
    static RateLimiter perKey(RateLimiter limiter) {
        return () -> new Delays() {
            private final ConcurrentMap<Object, Delays> started = new ConcurrentHashMap<>();

            @Override
            public long nanos(Object key, int failures, long now, RandomGenerator random) {
                return started.computeIfAbsent(key, absent -> limiter.start()).nanos(key, failures, now, random);
            }

            @Override
            public void forget(Object key) {
                started.remove(key);
            }
        };
    }

    /**
     * Returns a copy with delays that are up to this part longer at random, so that keys that failed together are not
     * retried together. A maximum delay of the limiter is lengthened too, since most keys share it.
     */
    default RateLimiter jitter(double part) {
        if (!(part >= 0) || Double.isInfinite(part)) {
            throw new IllegalArgumentException("the jitter must not be negative: " + part);
        }
        return adjusted((nanos, random) ->
                (long) Math.min((double) Nanos.LONGEST, nanos * (1 + part * random.nextDouble())));
    }

    /** Returns a copy with delays of at most this duration. */
    default RateLimiter maxWait(Duration max) {
        if (max.isNegative()) {
            throw new IllegalArgumentException("the longest wait must not be negative: " + max);
        }
        long longest = Nanos.of(max);
        return adjusted((nanos, random) -> Math.min(longest, nanos));
    }

    private RateLimiter adjusted(BiFunction<Long, RandomGenerator, Long> adjustment) {
        return () -> longest(List.of(start()), adjustment);
    }
}
