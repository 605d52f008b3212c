package dev.evenkeel.controller;

import dev.evenkeel.client.Client;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.util.Optional;

/**
 * One call of a reconciler, and what it may use.
 *
 * @param <T> class of the primary objects
 */
public interface Reconciliation<T extends HasMetadata> {
    /** What is to be reconciled. */
    Request request();

    /**
     * The primary object as the controller last saw it, which may be a little older than the API has it: the caller's own
     * copy. Empty when it is gone.
     */
    Optional<T> resource();

    /** Reads and writes. */
    Client client();

    /** Tells the time. */
    Clock clock();
}
