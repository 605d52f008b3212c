package dev.evenkeel.examples.database;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A database, kept by an external service. */
@Group("examples.evenkeel.dev")
@Version("v1")
@Plural("databases")
public final class Database extends CustomResource<DatabaseSpec, DatabaseStatus> implements Namespaced {}
