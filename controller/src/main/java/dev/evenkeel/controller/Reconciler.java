package dev.evenkeel.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Brings the world to what an object wants.
 *
 * <p>Called for one key by one thread at a time, for different keys at once. It is called when the object or one that it
 * owns changed, and also for no visible reason; so it looks at what is, changes what differs, and does nothing when
 * nothing does.
 *
 * @param <T> class of the primary objects
 */
@FunctionalInterface
public interface Reconciler<T extends HasMetadata> {
    /**
     * Reconciles one object. Whatever it throws is logged, and it is called again after a delay that grows with each
     * failure in a row.
     */
    Result reconcile(Reconciliation<T> reconciliation);
}
