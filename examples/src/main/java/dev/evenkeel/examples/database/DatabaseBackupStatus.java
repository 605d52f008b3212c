package dev.evenkeel.examples.database;

import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/**
 * The observed state of a {@link DatabaseBackup}.
 *
 * @param observedGeneration generation of the spec that the rest is about
 * @param snapshot address of the snapshot; empty while it is not taken
 * @param conditions {@code Complete}
 */
public record DatabaseBackupStatus(long observedGeneration, String snapshot, List<Condition> conditions) {
    /** The type of the condition of a taken backup. */
    public static final String COMPLETE = "Complete";

    /** Missing values default to empty. */
    public DatabaseBackupStatus {
        snapshot = snapshot == null ? "" : snapshot;
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }
}
