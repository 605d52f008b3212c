package dev.evenkeel.examples.database;

import static dev.evenkeel.examples.database.DatabaseBackupStatus.COMPLETE;

import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Mapper;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.cache.Index;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Takes each {@link DatabaseBackup} once, as soon as its database is ready. The service identifies it by the uid of its
 * object, so that it is not taken twice when the answer is lost.
 */
public final class DatabaseBackupReconciler implements Reconciler<DatabaseBackup> {
    /** Backups by their database. */
    private static final Index<DatabaseBackup, String> BY_DATABASE =
            Index.of("database", backup -> Stream.of(database(backup).toString()));

    private final DatabaseService service;

    DatabaseBackupReconciler(DatabaseService service) {
        this.service = service;
    }

    /** Returns the controller. */
    public static Controller<DatabaseBackup> controller(DatabaseService service) {
        return Controller.of(DatabaseBackup.class, new DatabaseBackupReconciler(service))
                .index(BY_DATABASE)
                .watches(
                        Database.class,
                        Mapper.index(BY_DATABASE, database -> database.key().toString()));
    }

    private static ObjectKey database(DatabaseBackup backup) {
        return ObjectKey.of(
                backup.getMetadata().getNamespace(), backup.getSpec().database());
    }

    @Override
    public Result reconcile(Reconciliation<DatabaseBackup> reconciliation) {
        Optional<DatabaseBackup> resource = reconciliation.resource();
        if (resource.isEmpty() || resource.get().isMarkedForDeletion()) {
            return Result.done();
        }
        DatabaseBackup backup = resource.get();
        if (backup.getStatus() != null && !backup.getStatus().snapshot().isEmpty()) {
            return Result.done();
        }
        Optional<Database> database = reconciliation.cache(Database.class).find(database(backup));
        if (database.isEmpty()) {
            return say(reconciliation, backup, "", "NoSuchDatabase", "there is no such database");
        }
        if (database.get().isMarkedForDeletion() || !ready(database.get())) {
            return say(reconciliation, backup, "", "DatabaseNotReady", "waits for the database to be ready");
        }
        String snapshot = service.snapshot(
                database.get().getMetadata().getUid(), backup.getMetadata().getUid());
        return say(reconciliation, backup, snapshot, COMPLETE, "it was taken");
    }

    private static boolean ready(Database database) {
        return database.getStatus() != null
                && Conditions.isTrue(database.getStatus().conditions(), DatabaseStatus.READY);
    }

    private static Result say(
            Reconciliation<DatabaseBackup> reconciliation,
            DatabaseBackup backup,
            String snapshot,
            String reason,
            String message) {
        long generation = backup.getMetadata().getGeneration();
        List<Condition> before = Optional.ofNullable(backup.getStatus())
                .map(DatabaseBackupStatus::conditions)
                .orElse(List.of());
        Condition condition = Conditions.condition(COMPLETE, reason.equals(COMPLETE), generation, reason, message);
        Instant now = reconciliation.now();
        backup.setStatus(new DatabaseBackupStatus(generation, snapshot, Conditions.with(before, condition, now)));
        reconciliation.updateStatus(backup);
        return Result.done();
    }
}
