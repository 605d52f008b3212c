package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Outcome;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.part.Description;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * A part whose first failures in a row nobody is told of: they are {@linkplain Outcome#quiet quiet}, are tried again,
 * and the status is not written. What is {@linkplain Outcome#durable durable} is always told.
 *
 * <p>Failures are counted for each object by itself. Success, a durable failure, another generation of the object, or a
 * day without failure, and the count begins again. A part counts wherever it is used: for another place make another
 * part.
 */
public final class SuppressTransientErrors {
    private static final int THRESHOLD = 3;

    private SuppressTransientErrors() {}

    /** This part, of whose failures the third in a row is told. */
    public static <T extends HasMetadata> Part<T> of(SubReconciler<T> part) {
        return of(THRESHOLD, part);
    }

    /**
     * This part with another threshold.
     *
     * @param threshold from which failure in a row on they are told; at least 1, which is from the first on
     */
    public static <T extends HasMetadata> Part<T> of(int threshold, SubReconciler<T> part) {
        if (threshold < 1) {
            throw new IllegalArgumentException(
                    "threshold: must be at least 1, and is " + threshold + ": 1 tells every failure, 3 leaves out two");
        }
        Part<T> inner = Part.of(part);
        TransientFailures failures = new TransientFailures(
                (outcome, streak, now) -> streak.count() < threshold ? TransientFailures.quiet(outcome) : outcome);
        return Part.of(
                Description.of("SuppressTransientErrors").with("reconciler", inner),
                (reconciliation, resource) -> failures.run(inner, reconciliation, resource));
    }
}
