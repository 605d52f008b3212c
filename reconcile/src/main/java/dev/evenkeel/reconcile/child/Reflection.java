package dev.evenkeel.reconcile.child;

import dev.evenkeel.controller.Reconciliation;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Says on the primary object what came of its children: it changes the status of the object in hand.
 *
 * @param <T> class of the primary objects
 * @param <R> what came of it: {@link ChildResult} or {@link ChildSetResult}
 */
@FunctionalInterface
public interface Reflection<T extends HasMetadata, R> {
    /** Says it; what it throws counts as a failure. */
    void reflect(Reconciliation<T> reconciliation, T parent, R result);
}
