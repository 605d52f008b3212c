package dev.evenkeel.controller;

import dev.evenkeel.client.Backoff;
import dev.evenkeel.controller.internal.queue.Adjustment;
import dev.evenkeel.controller.internal.queue.Bucket;
import dev.evenkeel.controller.internal.queue.Nanos;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * How long keys that failed have to wait.
 *
 * <p>A limiter is a value and has no state; one may be used for many queues. What there is to count beyond the failures
 * of a key, which the queue itself counts, is in the {@link Delays} that each queue starts.
 */
@FunctionalInterface
public interface RateLimiter {
    /** Begins to count, for one queue. */
    Delays start();

    /** Delays of one queue. Called by several threads at once, with no lock held. */
    @FunctionalInterface
    interface Delays {
        /**
         * How long a key has to wait.
         *
         * @param key key
         * @param failures how often it had failed in a row before; 0 at its first failure
         * @param now nanoseconds that only grow
         * @param random chance
         */
        long nanos(Object key, int failures, long now, RandomGenerator random);

        /** A key did not fail: what is kept for it can go. */
        default void forget(Object key) {}
    }

    /** Exponential from 5 ms to 1000 s, up to a tenth longer: 5, 10, 20 ms … 655 s, 1000 s. */
    static RateLimiter standard() {
        return backoff(Backoff.exponential(Duration.ofMillis(5), Duration.ofSeconds(1000))
                .withJitter(0.1));
    }

    /** Delays that double with each failure in a row. */
    static RateLimiter exponential(Duration first, Duration max) {
        return backoff(Backoff.exponential(first, max));
    }

    /** Returns a limiter whose delays grow with each failure in a row. */
    static RateLimiter backoff(Backoff backoff) {
        Delays delays =
                (key, failures, now, random) -> backoff.delay(failures, random).toNanos();
        return () -> delays;
    }

    /** One delay for the first failures of a key, another from then on. */
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
     * A bucket of tokens that all keys share: so many at once, then so many a second. Who comes when it is empty waits for
     * a token of the future, and has it reserved.
     */
    static RateLimiter bucket(double perSecond, int burst) {
        if (!(perSecond > 0) || burst < 1) {
            throw new IllegalArgumentException("a bucket must be filled with more than 0 a second and hold at least 1: "
                    + perSecond + ", " + burst);
        }
        return () -> new Bucket(perSecond, burst);
    }

    /** The longest delay of several limiters, each of which counts. */
    static RateLimiter maxOf(RateLimiter... limiters) {
        List<RateLimiter> all = List.of(limiters);
        return () -> {
            List<Delays> started = all.stream().map(RateLimiter::start).toList();
            return new Delays() {
                @Override
                public long nanos(Object key, int failures, long now, RandomGenerator random) {
                    long longest = 0;
                    for (Delays delays : started) {
                        longest = Math.max(longest, delays.nanos(key, failures, now, random));
                    }
                    return longest;
                }

                @Override
                public void forget(Object key) {
                    started.forEach(delays -> delays.forget(key));
                }
            };
        };
    }

    /** Starts a limiter for each key by itself, and ends it when the key is forgotten. */
    static RateLimiter perKey(RateLimiter limiter) {
        return () -> new Delays() {
            private final Map<Object, Delays> started = new HashMap<>();

            @Override
            public long nanos(Object key, int failures, long now, RandomGenerator random) {
                Delays delays;
                synchronized (started) {
                    delays = started.computeIfAbsent(key, k -> limiter.start());
                }
                return delays.nanos(key, failures, now, random);
            }

            @Override
            public void forget(Object key) {
                synchronized (started) {
                    started.remove(key);
                }
            }
        };
    }

    /**
     * The same, up to this part longer by chance, so that what failed together is not tried again together. A longest
     * delay of the limiter is lengthened too: there most of all keys meet.
     */
    default RateLimiter withJitter(double part) {
        if (!(part >= 0) || Double.isInfinite(part)) {
            throw new IllegalArgumentException("the part by which a delay may be longer must be 0 or more: " + part);
        }
        return adjusted((nanos, random) ->
                (long) Math.min((double) Nanos.LONGEST, nanos * (1 + part * random.nextDouble())));
    }

    /** The same, but never longer. */
    default RateLimiter withMaxWait(Duration max) {
        if (max.isNegative()) {
            throw new IllegalArgumentException("the longest wait must not be negative: " + max);
        }
        long longest = Nanos.of(max);
        return adjusted((nanos, random) -> Math.min(longest, nanos));
    }

    private RateLimiter adjusted(Adjustment adjustment) {
        return () -> {
            Delays delays = start();
            return new Delays() {
                @Override
                public long nanos(Object key, int failures, long now, RandomGenerator random) {
                    return adjustment.nanos(delays.nanos(key, failures, now, random), random);
                }

                @Override
                public void forget(Object key) {
                    delays.forget(key);
                }
            };
        };
    }
}
