package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import java.util.Optional;
import java.util.function.Consumer;

/** The verbs of a partition, for the services that act through them. */
public record Verbs(WriteContext cluster, CreateVerb creating, UpdateVerb updating, DeleteVerb deleting) {
    /** Deletes an object in the background, unless it is gone. */
    public void delete(Target target) {
        try {
            deleting.delete(target, DeleteOptions.of(DeleteOptions.Propagation.BACKGROUND));
        } catch (NotFoundException e) {
            // Gone already.
        }
    }

    /** Edits an object, unless it is gone. */
    public void edit(Target target, String manager, Consumer<JsonObject> edit) {
        try {
            updating.edit(target, manager, edit);
        } catch (NotFoundException e) {
            // Gone already.
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
