package dev.evenkeel.reconcile.condition;

import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/**
 * A status with an observed generation and conditions. When the status of a {@code CustomResource} is one, roots and
 * parts find it by themselves. {@link ResourceStatus} is a base class; for others, such as records, there is
 * {@link StatusAccess}.
 */
public interface ConditionedStatus {
    /** Returns the conditions; each type once. */
    List<Condition> getConditions();

    /** Replaces the conditions. */
    void setConditions(List<Condition> conditions);

    /** Returns the generation of the object that was reconciled last; 0 for none. */
    long getObservedGeneration();

    /** Sets the generation that was reconciled. */
    void setObservedGeneration(long generation);
}
