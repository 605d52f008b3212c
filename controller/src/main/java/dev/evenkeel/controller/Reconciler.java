package dev.evenkeel.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Brings the cluster in line with one object.
 *
 * <p>Called for one key by one thread at a time, for different keys concurrently. It is called when the object or one
 * that it owns changed, and also without a visible reason; so it reads the actual state, changes what differs, and has
 * no effect when nothing does.
 *
 * @param <T> class of the primary objects
 */
@FunctionalInterface
public interface Reconciler<T extends HasMetadata> {
    /**
     * Reconciles one object. Exceptions are logged, and it is called again after a delay that grows with each failure
     * in a row.
     */
    Result reconcile(Reconciliation<T> reconciliation);
}
