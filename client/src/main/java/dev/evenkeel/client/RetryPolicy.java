package dev.evenkeel.client;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The number and pace of the attempts of a request to a server.
 *
 * <p>Only requests that are safe to repeat are repeated:
 *
 * <ul>
 *   <li>after 429, all requests, because the server has not executed them;
 *   <li>after 500 and above with {@code Retry-After}: reads, replacements, deletes and applies;
 *   <li>after 502, 503 and 504 without {@code Retry-After}, and after a broken connection: reads.
 * </ul>
 *
 * @param attempts maximum number of attempts; 1 for no repetition
 * @param total maximum time of all attempts and pauses; a server that requests a longer pause ends the attempts
 * @param backoff pauses between attempts, unless the server requests a longer one
 */
public record RetryPolicy(int attempts, Duration total, Backoff backoff) {
    /** 5 attempts in 10 seconds, with pauses from 50 to 100 milliseconds that grow to 1.5 to 3 seconds. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(
            5,
            Duration.ofSeconds(10),
            Backoff.exponential(Duration.ofMillis(50), Duration.ofMillis(1500)).jitter(1));

    /** One attempt. */
    public static final RetryPolicy NONE = DEFAULT.attempts(1);

    /** Checks the values. */
    public RetryPolicy {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts must be positive: " + attempts);
        }
        if (total.isNegative()) {
            throw new IllegalArgumentException("total must not be negative: " + total);
        }
    }

    /** Returns a copy with this many attempts. */
    public RetryPolicy attempts(int value) {
        return new RetryPolicy(value, total, backoff);
    }

    /** Returns a copy that ends within this time. */
    public RetryPolicy total(Duration value) {
        return new RetryPolicy(attempts, value, backoff);
    }

    /** Returns a copy with these pauses. */
    public RetryPolicy backoff(Backoff value) {
        return new RetryPolicy(attempts, total, value);
    }

    /**
     * Returns the pause before the next attempt; empty to give up.
     *
     * @param failed number of failed attempts
     * @param spent time since the first attempt
     * @param requested pause that the server requested; zero for none
     * @param random source of the jitter
     */
    public Optional<Duration> pause(int failed, Duration spent, Duration requested, RandomGenerator random) {
        if (failed >= attempts) {
            return Optional.empty();
        }
        Duration own = backoff.delay(failed - 1, random);
        // longer than requested, since the server requested the same of all clients
        Duration pause = requested.isZero() ? own : requested.plus(own.dividedBy(4));
        return spent.plus(pause).compareTo(total) > 0 ? Optional.empty() : Optional.of(pause);
    }
}
