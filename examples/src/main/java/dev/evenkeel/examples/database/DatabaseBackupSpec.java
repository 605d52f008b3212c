package dev.evenkeel.examples.database;

/**
 * What is wanted of a {@link DatabaseBackup}.
 *
 * @param database name of the database, in the same namespace
 */
public record DatabaseBackupSpec(String database) {}
