package dev.evenkeel.examples.database;

import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /** Creates a status; missing values default to empty. */
    public DatabaseStatus(long observedGeneration, @Nullable String host, @Nullable List<Condition> conditions) {
        this.observedGeneration = observedGeneration;
        this.host = host == null ? "" : host;
        this.conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }
}
