package dev.evenkeel.controller.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Is told how the objects of an {@link Informer} change: one change after the other. It may take its time: meanwhile
 * further changes of one object become one, and nobody else waits. When it throws, the change counts as told.
 *
 * @param <T> class of the objects
 */
@FunctionalInterface
public interface ChangeHandler<T extends HasMetadata> {
    /** Something changed. */
    void changed(Change<T> change);
}
