package dev.evenkeel.reconcile.flow;

import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectChange;
import dev.evenkeel.client.SemanticEquality;
import dev.evenkeel.controller.Outcome;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.internal.ReconciliationView;
import dev.evenkeel.reconcile.part.Description;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * A part for objects of another class, such as one that has what many kinds have in common. The object is seen in that class,
 * and what the part changes in it comes back.
 *
 * <ol>
 * <li>Only what the part changed comes back: fields that the other class does not know stay as they are.
 * <li>It comes back also when the part did not end well.
 * <li>What does not fit the object's own class is dropped, as when such an object is read.
 * <li>To an interface, such as {@code HasMetadata}, nothing is cast: the part gets the object itself.
 * </ol>
 */
public final class CastResource {
    private CastResource() {}

    /** A part for objects of this class, as one for those of another. */
    public static <T extends HasMetadata, C extends HasMetadata> Part<T> to(Class<C> type, SubReconciler<C> part) {
        Part<C> inner = Part.of(part);
        Description description = Description.of("CastResource")
                .named(type.getSimpleName() + "CastResource")
                .with("reconciler", inner);
        return type.isInterface()
                ? Part.of(
                        description,
                        (reconciliation, resource) ->
                                inner.reconcile(ReconciliationView.as(reconciliation, type), type.cast(resource)))
                : Part.of(description, (reconciliation, resource) -> {
                    C before = ModelCodec.convert(resource, type);
                    C after = ModelCodec.copy(before);
                    Outcome outcome = inner.reconcile(ReconciliationView.as(reconciliation, type), after);
                    return OutcomeMapping.of("cast", outcome, ended -> {
                        bring(before, after, resource);
                        return ended;
                    });
                });
    }

    private static void bring(HasMetadata before, HasMetadata after, HasMetadata resource) {
        if (!SemanticEquality.same(before, after)) {
            ObjectChange.between(before, after).applyTo(resource);
        }
    }
}
