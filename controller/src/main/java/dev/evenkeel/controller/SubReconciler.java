package dev.evenkeel.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * One part of a reconciler that is made of parts. They share one object, which the root has loaded before and writes
 * after: a part may change what it is given, the status above all, and the parts after it see that.
 *
 * <p>As a {@link Reconciler} it is called for one key by one thread at a time, for different keys at once, and also for no
 * visible reason.
 *
 * @param <T> class of the primary objects
 */
@FunctionalInterface
public interface SubReconciler<T extends HasMetadata> {
    /**
     * Does its part for one object. What it throws counts as {@link Outcome#failed}.
     *
     * @param reconciliation what it may use
     * @param resource the object as the parts before have left it; it stays the root's
     */
    Outcome reconcile(Reconciliation<T> reconciliation, T resource);

    /** The controller with all that this part needs of it: what it owns, tracks and reads. */
    default Controller<T> declare(Controller<T> controller) {
        return controller;
    }
}
