package dev.evenkeel.controller;

import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.cache.Cache;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * The caches of a controller: of its primary objects, and of every kind that it owns, watches, tracks or reads.
 *
 * @param <T> class of the primary objects
 */
public interface ControllerCaches<T extends HasMetadata> {
    /** Returns the cache of the primary objects. */
    Cache<T> primaries();

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
}
