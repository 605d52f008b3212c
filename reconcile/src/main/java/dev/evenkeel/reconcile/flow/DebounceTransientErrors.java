package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;

/**
 * A part whose failures are reported only after they have lasted for a while: until then they are
 * {@linkplain Result#quiet quiet}, are retried, at the latest when the time is over, and the status is not written.
 * {@linkplain Result#durable Durable} failures are always reported.
 *
 * <p>The time is that since the first failure in a row, for each object by itself. It restarts at a success, a durable
 * failure, another generation of the object, or after a day without failure. A part shares its memory among all places
 * that use it: for another place create another part.
 */
public final class DebounceTransientErrors {
    private DebounceTransientErrors() {}

    /**
     * Returns a part that reports lasting failures only.
     *
     * @param lasting the minimum duration; positive, and less than a day
     */
    public static <T extends HasMetadata> Part<T> of(Duration lasting, SubReconciler<T> part) {
        if (!lasting.isPositive() || lasting.compareTo(Duration.ofDays(1)) >= 0) {
            throw new IllegalArgumentException("lasting: must be positive and less than a day: " + lasting);
        }
        return FailureStreaks.part("DebounceTransientErrors", part, (outcome, streak, now) -> {
            Instant told = streak.first().plus(lasting);
            return now.isBefore(told) ? FailureStreaks.quiet(outcome).within(Duration.between(now, told)) : outcome;
        });
    }
}
