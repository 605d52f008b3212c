package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The verbs of a partition, for the services that act through them.
 *
 * <p>The methods of this class write with the fence of the engine's {@link Leadership}; a lost fence ends the leadership
 * and, with {@link Leadership.NotLeaderException}, the task of the service.
 */
public record Verbs(
        WriteContext cluster, CreateVerb creating, UpdateVerb updating, DeleteVerb deleting, Leadership leadership) {
    /** Deletes an object in the background, unless it is gone. */
    public void delete(Target target) {
        try {
            delete(target, DeleteOptions.of(DeleteOptions.Propagation.BACKGROUND));
        } catch (NotFoundException e) {
            // Gone already.
        }
    }

    /**
     * Deletes an object.
     *
     * @throws NotFoundException when there is none
     * @throws ConflictException when a precondition of the options does not hold
     */
    public void delete(Target target, DeleteOptions options) {
        fenced(fence -> deleting.delete(target, options.withFence(fence)));
    }

    /** Edits an object, unless it is gone. */
    public void edit(Target target, String manager, Consumer<JsonObject> edit) {
        try {
            fenced(fence -> updating.edit(target, WriteOptions.of(manager).withFence(fence), edit));
        } catch (NotFoundException e) {
            // Gone already.
        }
    }

    /** Runs a write of a service, with the fence of the leadership. */
    public void fenced(Consumer<Optional<Fence>> write) {
        Optional<Fence> fence = leadership.fence();
        try {
            write.accept(fence);
        } catch (ConflictException e) {
            if (fence.isPresent()
                    && e.causes().stream().anyMatch(cause -> cause.reason().equals(Fence.LOST))) {
                leadership.lost(fence.get());
                throw new Leadership.NotLeaderException();
            }
            throw e;
        }
    }

    /** Returns the target of a key, in its storage version; empty when its type is gone. */
    public Optional<Target> target(Store.Key key) {
        String id = key.collection().substring(key.collection().indexOf('/') + 1);
        return cluster.types()
                .get()
                .type(id)
                .map(type -> Target.of(type, type.storageVersion(), key.namespace(), key.name()));
    }
}
