package dev.evenkeel.examples;

import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/**
 * The observed state of a {@link Website}.
 *
 * @param observedGeneration generation of the spec that the rest is about
 * @param replicas the replicas of the Deployment's spec
 * @param conditions {@code Ready}
 */
public record WebsiteStatus(long observedGeneration, int replicas, List<Condition> conditions) {
    /** The type of the condition of a fully applied website. */
    public static final String READY = "Ready";

    /** Missing conditions default to none. */
    public WebsiteStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }
}
