package dev.evenkeel.controller;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.cache.Cache;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One call of a reconciler, and what it may use.
 *
 * @param <T> class of the primary objects
 */
public interface Reconciliation<T extends HasMetadata> {
    /** What is to be reconciled. */
    Request request();

    /** The kind of the primary objects. */
    Kind<T> kind();

    /**
     * The primary object as the controller last saw it, which may be a little older than the API has it, but never older
     * than what this process wrote itself: the caller's own copy. Empty when it is gone.
     */
    Optional<T> resource();

    /**
     * Reads and writes. Reads come from the API; writes are in the caches when they return. Once the controller has lost
     * its place, or the deadline is over, it does no writes any more.
     */
    Client client();

    /**
     * The cache of a kind that the controller watches or reads.
     *
     * @throws IllegalArgumentException when it does neither; says how to
     */
    <W extends HasMetadata> Cache<W> cache(Kind<W> kind);

    /** The cache of the kind of this class. */
    default <W extends HasMetadata> Cache<W> cache(Class<W> type) {
        return cache(Kind.of(type));
    }

    /** Why this happens: what was noticed since the last time. Not all of it, when it was much. */
    List<String> causes();

    /** How often in a row it has failed before. */
    int failures();

    /** How long it may still take; zero when the time is over. */
    Duration remaining();

    /** What makes writes fail once somebody else has taken over; empty when the controller is placed everywhere. */
    Optional<Fence> fence();

    /** Tells people what happened, as events of an object. */
    EventRecorder events();

    /**
     * Writes the status of an object, if it is not what {@link #resource} has: no write, no event, nobody woken.
     *
     * @param object the primary object with the wanted status
     * @return whether it was written
     */
    boolean updateStatus(T object);

    /** What parts of the reconciler leave for each other; empty at the beginning of each call. */
    Stash stash();

    /** Records what else the object depends on, so that it is reconciled when that changes. */
    Tracker tracker();

    /** Tells the time. */
    Clock clock();
}
