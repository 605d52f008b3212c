package dev.evenkeel.reconcile.flow;

import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.internal.FinalizerUpdates;
import dev.evenkeel.reconcile.internal.Outcomes;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.function.BiPredicate;

/**
 * A part with clean-up: before it runs, the object gets a finalizer, so that its deletion is not missed; when the
 * object is terminating, and the part has succeeded, the finalizer is removed.
 *
 * <p>A part that {@linkplain Result#stops stops} has not succeeded, even if it only ended a sequence early: the
 * finalizer stays. See {@link FinalizerUpdates} for the writes.
 */
public final class WithFinalizer {
    private WithFinalizer() {}

    /** Returns the part with a finalizer that is removed when the part has succeeded. */
    public static <T extends HasMetadata> Part<T> of(Class<T> type, String finalizer, SubReconciler<T> part) {
        return of(Kind.of(type), finalizer, (reconciliation, resource) -> true, part);
    }

    /**
     * Returns the part with a finalizer that is removed when the part has succeeded, and all is cleaned up.
     *
     * @param kind of the primary objects
     * @param finalizer such as {@code example.com/clean-up}
     * @param ready whether all is cleaned up; evaluated after the part, and only for terminating objects
     */
    public static <T extends HasMetadata> Part<T> of(
            Kind<T> kind, String finalizer, BiPredicate<Reconciliation<T>, T> ready, SubReconciler<T> part) {
        if (finalizer.isBlank()) {
            throw new IllegalStateException("WithFinalizer must define finalizer: a name such as example.com/clean-up");
        }
        Part<T> inner = Part.of(part);
        Part.Description description = Part.Description.of("WithFinalizer")
                .name(finalizer)
                .needs(FinalizerUpdates.need(kind))
                .slots("reconciler", inner);
        return Part.of(description, (reconciliation, resource) -> {
            boolean deleted = resource.isMarkedForDeletion();
            Result outcome = deleted ? Result.done() : FinalizerUpdates.add(reconciliation, resource, finalizer);
            if (!outcome.stops()) {
                outcome = outcome.plus(inner.reconcile(reconciliation, resource));
            }
            if (!deleted || outcome.stops()) {
                return outcome;
            }
            return Outcomes.mapped(
                    "ready",
                    outcome,
                    ended -> ready.test(reconciliation, resource)
                            ? ended.plus(FinalizerUpdates.clear(reconciliation, resource, finalizer))
                            : ended);
        });
    }
}
