package dev.evenkeel.examples.database;

import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** Settings for databases of all namespaces, which refer to it by name. */
@Group("examples.evenkeel.dev")
@Version("v1")
@Plural("databaseclasses")
public final class DatabaseClass extends CustomResource<DatabaseClassSpec, Void> {}
