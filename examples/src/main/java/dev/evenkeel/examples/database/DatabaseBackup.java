package dev.evenkeel.examples.database;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A backup of a database, taken once, as soon as the database is ready; it outlives the database. */
@Group("examples.evenkeel.dev")
@Version("v1")
@Plural("databasebackups")
public final class DatabaseBackup extends CustomResource<DatabaseBackupSpec, DatabaseBackupStatus>
        implements Namespaced {}
