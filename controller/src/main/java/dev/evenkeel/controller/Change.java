package dev.evenkeel.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * How an object of an {@link Informer} changed. Changes between two of these may not have been seen; an object that was
 * deleted and made again is always told as both.
 *
 * @param <T> class of the objects
 */
public sealed interface Change<T extends HasMetadata> {
    /** The object, or its last known state. */
    T object();

    /** It is there, and was not. */
    record Added<T extends HasMetadata>(T object) implements Change<T> {}

    /**
     * It is different.
     *
     * @param before the state last told
     */
    record Updated<T extends HasMetadata>(T before, T object) implements Change<T> {}

    /** It is gone. */
    record Deleted<T extends HasMetadata>(T object) implements Change<T> {}
}
