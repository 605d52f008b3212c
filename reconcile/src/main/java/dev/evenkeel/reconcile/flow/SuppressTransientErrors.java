package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * A part whose first consecutive failures are not reported: they are {@linkplain Result#quiet quiet}, are retried, and
 * the status is not written. {@linkplain Result#durable Durable} failures are always reported.
 *
 * <p>Failures are counted for each object by itself. The count restarts at a success, a durable failure, another
 * generation of the object, or after a day without failure. A part shares its count among all places that use it: for
 * another place create another part.
 */
public final class SuppressTransientErrors {
    private static final int THRESHOLD = 3;

    private SuppressTransientErrors() {}

    /** Returns a part that reports failures from the third in a row. */
    public static <T extends HasMetadata> Part<T> of(SubReconciler<T> part) {
        return of(THRESHOLD, part);
    }

    /**
     * Returns a part with another threshold.
     *
     * @param threshold number of consecutive failures from which they are reported; at least 1, which reports all
     */
    public static <T extends HasMetadata> Part<T> of(int threshold, SubReconciler<T> part) {
        if (threshold < 1) {
            throw new IllegalArgumentException(
                    "threshold: must be at least 1: " + threshold + ": 1 reports every failure, 3 skips two");
        }
        return FailureStreaks.part(
                "SuppressTransientErrors",
                part,
                (outcome, streak, now) -> streak.count() < threshold ? FailureStreaks.quiet(outcome) : outcome);
    }
}
