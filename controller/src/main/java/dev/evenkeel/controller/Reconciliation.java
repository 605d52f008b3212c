package dev.evenkeel.controller;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.cache.Cache;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;

/**
 * One call of a reconciler, and the context for it.
 *
 * @param <T> class of the primary objects
 */
public interface Reconciliation<T extends HasMetadata> {
    /** Returns the key of the primary object. */
    ObjectKey key();

    /** Returns the kind of the primary objects. */
    Kind<T> kind();

    /**
     * Returns a copy of the primary object as the cache has it, which may be slightly older than in the API, but never
     * older than this process's own writes. Empty when the object does not exist.
     */
    Optional<T> resource();

    /**
     * Returns the client. Reads come from the API; writes are visible in the caches when they return. Once the
     * controller is not active any more, or the deadline has passed, it refuses to write.
     */
    Client client();

    /**
     * Returns the cache of a kind that the controller watches or reads.
     *
     * @throws IllegalArgumentException when it does neither; the message describes how to declare it
     */
    <W extends HasMetadata> Cache<W> cache(Kind<W> kind);

    /** Returns the cache of the kind of this class. */
    default <W extends HasMetadata> Cache<W> cache(Class<W> type) {
        return cache(Kind.of(type));
    }

    /** Returns the causes of this call: the events since the last one, up to a limit. */
    List<String> causes();

    /** Returns the number of failures in a row before this call. */
    int failures();

    /** Returns the time until the deadline; zero when it has passed. */
    Duration remaining();

    /**
     * Returns the fence that makes writes fail once another process has taken over; empty when the controller is placed
     * on every server.
     */
    Optional<Fence> fence();

    /** Returns the recorder of events of objects. */
    EventRecorder events();

    /**
     * Writes the status of an object, unless it equals that of {@link #resource}; an equal status is neither written
     * nor reported.
     *
     * @param object primary object with the desired status
     * @return whether it was written
     */
    boolean updateStatus(T object);

    /** Returns the values that parts of the reconciler pass to each other; empty at the beginning of each call. */
    Stash stash();

    /** Returns the tracker of further dependencies of the object: it is reconciled when these change. */
    Tracker tracker();

    /**
     * Returns the time of this call, which is the same at every call of this method. So conditions and other times that
     * one call writes are equal.
     */
    Instant now();

    /** Returns the clock, to measure durations; see {@link #now} for times to write. */
    Clock clock();

    /**
     * Returns the logger of the controller, which has its name. Each line carries the {@code key} of the object and,
     * within a tree of parts, the names of the enclosing ones, as {@code part=Website/children/Deployment}.
     */
    Logger logger();
}
