package dev.evenkeel.examples.database;

/**
 * The desired state of a {@link DatabaseBackup}.
 *
 * @param database name of the database, in the same namespace
 */
public record DatabaseBackupSpec(String database) {}
