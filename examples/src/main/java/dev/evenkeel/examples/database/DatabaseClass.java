package dev.evenkeel.examples.database;

import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A way of keeping databases, for all namespaces: databases refer to it by name. */
@Group("examples.evenkeel.dev")
@Version("v1")
@Plural("databaseclasses")
public final class DatabaseClass extends CustomResource<DatabaseClassSpec, Void> {
    private static final long serialVersionUID = 1L;

    /** An object without a spec, to be filled. */
    public DatabaseClass() {}
}
