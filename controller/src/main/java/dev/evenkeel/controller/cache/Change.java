package dev.evenkeel.controller.cache;

import dev.evenkeel.client.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * How an object of an {@link Informer} changed, told to one handler. Of each object a handler is told a part of its states,
 * in their order, ending with the present one; an object that was deleted and made again is told as both.
 *
 * @param <T> class of the objects
 */
public sealed interface Change<T extends HasMetadata> {
    /** The object, or its last known state. */
    Cached<T> object();

    /** Where it is. */
    default ObjectKey key() {
        return object().key();
    }

    /**
     * It is there, and the handler did not know.
     *
     * @param initial whether it was there before the handler or the informer was
     */
    record Added<T extends HasMetadata>(Cached<T> object, boolean initial) implements Change<T> {}

    /**
     * It is different.
     *
     * @param before the state last told
     */
    record Updated<T extends HasMetadata>(Cached<T> before, Cached<T> object) implements Change<T> {}

    /**
     * It is gone.
     *
     * @param object its last state; when that is unknown, the last state known
     * @param finalStateUnknown whether it may have changed before it went: the watch had a gap, or this process deleted it
     */
    record Deleted<T extends HasMetadata>(Cached<T> object, boolean finalStateUnknown) implements Change<T> {}

    /** Nothing happened; the handler asked to be reminded. */
    record Resync<T extends HasMetadata>(Cached<T> object) implements Change<T> {}
}
