package dev.evenkeel.examples.database;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A database, which a service elsewhere keeps. */
@Group("examples.evenkeel.dev")
@Version("v1")
@Plural("databases")
public final class Database extends CustomResource<DatabaseSpec, DatabaseStatus> implements Namespaced {
    private static final long serialVersionUID = 1L;

    /** An object without a spec, to be filled. */
    public Database() {}
}
