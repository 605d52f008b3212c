package dev.evenkeel.engine.internal.write;

import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import java.util.Optional;

/** The verbs of a partition, for the services that act through them. */
public record Verbs(WriteContext cluster, CreateVerb creating, UpdateVerb updating, DeleteVerb deleting) {
    /** Returns the target of a key, in its storage version; empty when its type is gone. */
    public Optional<Target> target(Store.Key key) {
        String id = key.collection().substring(key.collection().indexOf('/') + 1);
        return cluster.types()
                .get()
                .type(id)
                .map(type -> Target.of(type, type.storageVersion(), key.namespace(), key.name()));
    }
}
