package dev.evenkeel.examples.database;

import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/**
 * The observed state of a {@link Database}.
 *
 * @param observedGeneration generation of the spec that the rest is about
 * @param host its host; empty while unknown
 * @param conditions {@code Ready}
 */
public record DatabaseStatus(long observedGeneration, String host, List<Condition> conditions) {
    /** The type of the condition of a usable database in its desired state. */
    public static final String READY = "Ready";

    /** Missing values default to empty. */
    public DatabaseStatus {
        host = host == null ? "" : host;
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }
}
