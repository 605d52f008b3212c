package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Outcome;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.part.Description;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;

/**
 * A part of whose failures nobody is told before they have lasted for a while: until then they are
 * {@linkplain Outcome#quiet quiet}, are tried again, at the latest when the time is over, and the status is not
 * written. What is {@linkplain Outcome#durable durable} is always told.
 *
 * <p>The time is that since the first failure in a row, for each object by itself. Success, a durable failure, another
 * generation of the object, or a day without failure, and it begins again. A part remembers wherever it is used: for
 * another place make another part.
 */
public final class DebounceTransientErrors {
    private DebounceTransientErrors() {}

    /**
     * This part, of whose failures those are told that last.
     *
     * @param lasting for how long; positive, and less than a day
     */
    public static <T extends HasMetadata> Part<T> of(Duration lasting, SubReconciler<T> part) {
        if (!lasting.isPositive() || lasting.compareTo(Duration.ofDays(1)) >= 0) {
            throw new IllegalArgumentException("lasting: must be positive and less than a day, and is " + lasting);
        }
        Part<T> inner = Part.of(part);
        TransientFailures failures = new TransientFailures((outcome, streak, now) -> {
            Instant told = streak.first().plus(lasting);
            return now.isBefore(told) ? TransientFailures.quiet(outcome).within(Duration.between(now, told)) : outcome;
        });
        return Part.of(
                Description.of("DebounceTransientErrors").with("reconciler", inner),
                (reconciliation, resource) -> failures.run(inner, reconciliation, resource));
    }
}
