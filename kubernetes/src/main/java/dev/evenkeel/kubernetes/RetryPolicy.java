package dev.evenkeel.kubernetes;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The number and pace of the attempts of a request.
 *
 * <p>Only requests that are safe to repeat are repeated: after 429 all, for the server did not begin; after a response
 * of 500 and above with {@code Retry-After}, and after 502, 503 and 504, those that have the same effect when repeated
 * (reads, replacements, deletes, apply; of the last three only with {@code Retry-After}); after a broken connection,
 * reads.
 *
 * @param attempts the maximum number of attempts; 1 for no repetition
 * @param total the maximum time of all attempts; a longer {@code Retry-After} ends them
 * @param first the pause before the second attempt; doubles with each
 * @param longest the longest pause, unless the server requests a longer one
 */
public record RetryPolicy(int attempts, Duration total, Duration first, Duration longest) {
    /** 5 attempts in 10 seconds, pauses from 100 milliseconds to 3 seconds. */
    public static final RetryPolicy DEFAULT =
            new RetryPolicy(5, Duration.ofSeconds(10), Duration.ofMillis(100), Duration.ofSeconds(3));

    /** One attempt. */
    public static final RetryPolicy NONE = DEFAULT.withAttempts(1);

    /** Refuses invalid values. */
    public RetryPolicy {
        if (attempts < 1 || total.isNegative() || first.isNegative() || longest.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "a retry policy has at least 1 attempt, a total and a first pause of 0 or"
                            + " more, and a longest pause not shorter than the first: " + attempts + ", " + total
                            + ", "
                            + first + ", " + longest);
        }
    }

    /** Returns a copy with this many attempts. */
    public RetryPolicy withAttempts(int value) {
        return new RetryPolicy(value, total, first, longest);
    }

    /** Returns a copy with this time limit. */
    public RetryPolicy withTotal(Duration value) {
        return new RetryPolicy(attempts, value, first, longest);
    }

    /** Returns a copy with these pauses. */
    public RetryPolicy withPauses(Duration firstPause, Duration longestPause) {
        return new RetryPolicy(attempts, total, firstPause, longestPause);
    }

    /**
     * Returns the pause after a failed attempt; empty to give up.
     *
     * @param failed the number of failed attempts
     * @param spent time since the first began
     * @param asked the pause that the server requested; zero for none
     */
    Optional<Duration> pause(int failed, Duration spent, Duration asked, RandomGenerator random) {
        if (failed >= attempts) {
            return Optional.empty();
        }
        double growing = first.toNanos() * Math.pow(2, failed - 1);
        long most = (long) Math.min(growing, (double) longest.toNanos());
        // from half to all of it: clients that failed together do not retry together
        long own = most - (long) (most * random.nextDouble() / 2);
        // added to the requested pause, which is the same for all clients
        Duration pause = asked.isZero() ? Duration.ofNanos(own) : asked.plusNanos(own / 4);
        return spent.plus(pause).compareTo(total) > 0 ? Optional.empty() : Optional.of(pause);
    }
}
