package dev.evenkeel.kubernetes;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * How often, and how fast, a request is tried again.
 *
 * <p>Only what is safe to repeat is repeated: after 429 everything, for the server did not begin; after an answer of 500
 * and above with {@code Retry-After}, and after 502, 503 and 504, what has the same effect when done twice (reads,
 * replacements, deletes, apply; of the last three only with {@code Retry-After}); after a broken connection, reads.
 *
 * @param attempts how often at most in all; 1 for no repetition
 * @param total how long at most in all; a server that asks for more patience gets none
 * @param first the pause before the second attempt; doubles with each
 * @param longest the longest pause, unless the server asks for a longer one
 */
public record RetryPolicy(int attempts, Duration total, Duration first, Duration longest) {
    /** 5 attempts in 10 seconds, pauses from 100 milliseconds to 3 seconds. */
    public static final RetryPolicy DEFAULT =
            new RetryPolicy(5, Duration.ofSeconds(10), Duration.ofMillis(100), Duration.ofSeconds(3));

    /** One attempt. */
    public static final RetryPolicy NONE = DEFAULT.withAttempts(1);

    /** Refuses what makes no sense. */
    public RetryPolicy {
        if (attempts < 1 || total.isNegative() || first.isNegative() || longest.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "a retry policy has at least 1 attempt, a total and a first pause of 0 or"
                            + " more, and a longest pause that is no shorter than the first: " + attempts + ", " + total
                            + ", "
                            + first + ", " + longest);
        }
    }

    /** The same with this many attempts. */
    public RetryPolicy withAttempts(int value) {
        return new RetryPolicy(value, total, first, longest);
    }

    /** The same within this time. */
    public RetryPolicy withTotal(Duration value) {
        return new RetryPolicy(attempts, value, first, longest);
    }

    /** The same with these pauses. */
    public RetryPolicy withPauses(Duration firstPause, Duration longestPause) {
        return new RetryPolicy(attempts, total, firstPause, longestPause);
    }

    /**
     * The pause after a failed attempt; empty to give up.
     *
     * @param failed how many attempts have failed
     * @param spent time since the first began
     * @param asked what the server asked for; zero for nothing
     */
    Optional<Duration> pause(int failed, Duration spent, Duration asked, RandomGenerator random) {
        if (failed >= attempts) {
            return Optional.empty();
        }
        double growing = first.toNanos() * Math.pow(2, failed - 1);
        long most = (long) Math.min(growing, (double) longest.toNanos());
        // from half to all of it: who failed together does not come back together
        long own = most - (long) (most * random.nextDouble() / 2);
        // after what was asked for, for all were asked the same
        Duration pause = asked.isZero() ? Duration.ofNanos(own) : asked.plusNanos(own / 4);
        return spent.plus(pause).compareTo(total) > 0 ? Optional.empty() : Optional.of(pause);
    }
}
