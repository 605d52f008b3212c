package dev.evenkeel.reconcile.flow;

import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectChange;
import dev.evenkeel.client.SemanticEquality;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.internal.Outcomes;
import dev.evenkeel.reconcile.internal.ReconciliationView;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * A part for objects of another class, such as one with the common fields of many kinds. The object is viewed in that
 * class, and the part's changes to it are copied back.
 *
 * <ol>
 * <li>Only changes are copied back: fields unknown to the other class stay as they are.
 * <li>They are copied back also when the part failed.
 * <li>Values that do not fit the object's own class are dropped, as when such an object is read.
 * <li>With an interface, such as {@code HasMetadata}, nothing is converted: the part gets the object itself.
 * </ol>
 */
public final class CastResource {
    private CastResource() {}

    /** Returns a part for objects of the other class that runs a part for objects of this class. */
    public static <T extends HasMetadata, C extends HasMetadata> Part<T> to(Class<C> type, SubReconciler<C> part) {
        Part<C> inner = Part.of(part);
        Part.Description description = Part.Description.of("CastResource")
                .name(type.getSimpleName() + "CastResource")
                .slots("reconciler", inner);
        return type.isInterface()
                ? Part.of(
                        description,
                        (reconciliation, resource) ->
                                inner.reconcile(ReconciliationView.as(reconciliation, type), type.cast(resource)))
                : Part.of(description, (reconciliation, resource) -> {
                    C before = ModelCodec.convert(resource, type);
                    C after = ModelCodec.copy(before);
                    Result outcome = inner.reconcile(ReconciliationView.as(reconciliation, type), after);
                    return Outcomes.mapped("cast", outcome, ended -> {
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
