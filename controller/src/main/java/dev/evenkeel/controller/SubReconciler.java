package dev.evenkeel.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * One part of a composed reconciler. The parts share one object, which the root reads before and writes after them: a
 * part may change it, the status above all, and later parts see the changes.
 *
 * <p>Like a {@link Reconciler} it is called for one key by one thread at a time, for different keys concurrently, and
 * also without a visible reason.
 *
 * @param <T> class of the primary objects
 */
@FunctionalInterface
public interface SubReconciler<T extends HasMetadata> {
    /**
     * Reconciles one aspect of an object. An exception counts as {@link Result#failed}.
     *
     * @param resource object with the changes of earlier parts; it belongs to the root
     */
    Result reconcile(Reconciliation<T> reconciliation, T resource);

    /** Returns the controller with the declarations that this part needs: the kinds it owns, tracks and reads. */
    default Controller<T> declare(Controller<T> controller) {
        return controller;
    }
}
