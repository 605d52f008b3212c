package dev.evenkeel.reconcile.child;

import dev.evenkeel.controller.Reconciliation;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Reflects the result of children in the status of the primary object, which is changed in memory.
 *
 * @param <T> class of the primary objects
 * @param <R> class of the result: {@link ChildResult} or {@link ChildSetResult}
 */
@FunctionalInterface
public interface Reflection<T extends HasMetadata, R> {
    /** Reflects the result; an exception counts as a failure. */
    void reflect(Reconciliation<T> reconciliation, T parent, R result);
}
