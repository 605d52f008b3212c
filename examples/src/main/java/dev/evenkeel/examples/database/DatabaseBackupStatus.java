package dev.evenkeel.examples.database;

import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /** Creates a status; missing values default to empty. */
    public DatabaseBackupStatus(
            long observedGeneration, @Nullable String snapshot, @Nullable List<Condition> conditions) {
        this.observedGeneration = observedGeneration;
        this.snapshot = snapshot == null ? "" : snapshot;
        this.conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }
}
