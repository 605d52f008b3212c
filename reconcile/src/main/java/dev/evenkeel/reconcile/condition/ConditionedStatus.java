package dev.evenkeel.reconcile.condition;

import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/**
 * A status that says of itself which generation it is about, and what is true. When the status of a {@code CustomResource}
 * is one, roots and parts find that by themselves. {@link ResourceStatus} is one to extend; for others, such as records,
 * there is {@link StatusAccess}.
 */
public interface ConditionedStatus {
    /** What is true, false or unknown; each type once. */
    List<Condition> getConditions();

    /** Replaces the conditions. */
    void setConditions(List<Condition> conditions);

    /** Generation of the object that was reconciled last; 0 for none. */
    long getObservedGeneration();

    /** Notes the generation that was reconciled. */
    void setObservedGeneration(long generation);
}
