package dev.evenkeel.reconcile.flow;

import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Outcome;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.internal.FinalizerUpdates;
import dev.evenkeel.reconcile.part.Description;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.function.BiPredicate;

/**
 * A part that has something to clean up: before it runs, the object gets a finalizer, so that it cannot go unnoticed; when
 * the object is being deleted, and the part has ended well, the finalizer is taken away.
 *
 * <p>A part that {@linkplain Outcome#stops stops} has not ended well, also when it only ended a sequence early: the finalizer
 * stays. See {@link FinalizerUpdates} for what is written.
 */
public final class WithFinalizer {
    private WithFinalizer() {}

    /** This part with a finalizer that goes when the part has ended well. */
    public static <T extends HasMetadata> Part<T> of(Class<T> type, String finalizer, SubReconciler<T> part) {
        return of(Kind.of(type), finalizer, (reconciliation, resource) -> true, part);
    }

    /**
     * This part with a finalizer that goes when the part has ended well, and all is cleaned up.
     *
     * @param kind of the primary objects
     * @param finalizer such as {@code example.com/clean-up}
     * @param ready whether all is cleaned up; asked after the part, and only of objects that are being deleted
     */
    public static <T extends HasMetadata> Part<T> of(
            Kind<T> kind, String finalizer, BiPredicate<Reconciliation<T>, T> ready, SubReconciler<T> part) {
        if (finalizer.isBlank()) {
            throw new IllegalStateException("WithFinalizer must define finalizer: a name such as example.com/clean-up");
        }
        Part<T> inner = Part.of(part);
        Description description = Description.of("WithFinalizer")
                .named(finalizer)
                .needing(FinalizerUpdates.need(kind))
                .with("reconciler", inner);
        return Part.of(description, (reconciliation, resource) -> {
            boolean deleted = resource.isMarkedForDeletion();
            Outcome outcome = deleted ? Outcome.done() : FinalizerUpdates.add(reconciliation, resource, finalizer);
            if (!outcome.stops()) {
                outcome = outcome.plus(inner.reconcile(reconciliation, resource));
            }
            if (!deleted || outcome.stops()) {
                return outcome;
            }
            return OutcomeMapping.of(
                    "ready",
                    outcome,
                    ended -> ready.test(reconciliation, resource)
                            ? ended.plus(FinalizerUpdates.clear(reconciliation, resource, finalizer))
                            : ended);
        });
    }
}
