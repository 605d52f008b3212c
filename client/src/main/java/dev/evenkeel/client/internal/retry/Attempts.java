package dev.evenkeel.client.internal.retry;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ConnectionException;
import dev.evenkeel.client.RequestInterruptedException;
import dev.evenkeel.client.RetryPolicy;
import dev.evenkeel.client.TokenSource;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests with a token, and again where that is safe.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>A write is sent a second time only after an answer that reports that it was not done, or when repeating it has the
 *       same effect.
 *   <li>A refused token is refreshed once per request, so a wrong one causes no endless loop.
 *   <li>An interrupted thread waits for nothing.
 * </ol>
 */
public final class Attempts {
    private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);

    /** The effect of a repeated request. */
    public enum Repeat {
        /** The request has no effect. */
        READ,
        /** Repeating has the same effect as sending once. */
        SAME_EFFECT,
        /** Repeating may have another effect. */
        NEVER
    }

    /** A refusal, and the pause that the server requested before a retry; empty when it requested none. */
    public static final class Refused extends RuntimeException {
        private final transient ApiException refusal;
        private final transient Optional<Duration> retryAfter;

        public Refused(ApiException refusal, Optional<Duration> retryAfter) {
            super(null, null, false, false);
            this.refusal = refusal;
            this.retryAfter = retryAfter;
        }
    }

    private final RetryPolicy policy;
    private final Optional<TokenSource> tokens;
    private final Timing time;
    private volatile boolean ended;

    public Attempts(RetryPolicy policy, Optional<TokenSource> tokens, Timing time) {
        this.policy = policy;
        this.tokens = tokens;
        this.time = time;
    }

    /**
     * Sends a request.
     *
     * @param request its description, for messages
     * @param attempt sends it once, given a token, empty for none; fails with {@link Refused} or {@link ConnectionException}
     *     when it may be sent again
     * @throws ApiException when it is refused
     * @throws ConnectionException when there is no answer
     * @throws RequestInterruptedException when the thread is interrupted between attempts
     */
    public <R> R send(String request, Repeat repeat, Function<String, R> attempt) {
        long begin = time.nanoTime();
        boolean refreshed = false;
        String token = tokens.map(TokenSource::token).orElse("");
        for (int failed = 1; ; failed++) {
            Duration requested = Duration.ZERO;
            RuntimeException failure;
            boolean again;
            try {
                return attempt.apply(token);
            } catch (Refused refused) {
                failure = refused.refusal;
                if (refused.refusal.code() == 401 && !refreshed && tokens.isPresent()) {
                    refreshed = true;
                    String fresh = tokens.get().refresh(token);
                    if (!fresh.equals(token)) {
                        token = fresh;
                        failed--;
                        continue;
                    }
                }
                requested = refused.retryAfter.orElse(Duration.ZERO);
                again = again(refused, repeat);
            } catch (ConnectionException broken) {
                failure = broken;
                again = repeat == Repeat.READ && !ended;
            }
            Duration spent = Duration.ofNanos(time.nanoTime() - begin);
            Optional<Duration> pause = again ? policy.pause(failed, spent, requested, time.random()) : Optional.empty();
            if (pause.isEmpty()) {
                throw failure;
            }
            LOG.debug("{} failed, again in {}: {}", request, pause.get(), failure.getMessage());
            pause(request, pause.get());
        }
    }

    /** From now on, what has no answer is not sent again, since the client is closed. */
    public void end() {
        ended = true;
    }

    private static boolean again(Refused refused, Repeat repeat) {
        int code = refused.refusal.code();
        return code == 429
                || (code >= 500 && refused.retryAfter.isPresent() && repeat != Repeat.NEVER)
                || ((code == 502 || code == 503 || code == 504) && repeat == Repeat.READ);
    }

    /** Waits before an attempt. */
    public void pause(String request, Duration pause) {
        try {
            time.pause(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestInterruptedException("interrupted between attempts of " + request, e);
        }
    }
}
