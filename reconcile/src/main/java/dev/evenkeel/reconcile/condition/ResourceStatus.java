package dev.evenkeel.reconcile.condition;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What statuses have in common: {@code observedGeneration} and {@code conditions}. For the status classes of custom
 * resources, which add what they have to say.
 */
public class ResourceStatus implements ConditionedStatus {
    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    private long observedGeneration;

    private List<Condition> conditions = List.of();

    /** A status that says nothing. */
    public ResourceStatus() {}

    @Override
    public List<Condition> getConditions() {
        return conditions;
    }

    @Override
    public void setConditions(@Nullable List<Condition> value) {
        conditions = value == null ? List.of() : List.copyOf(value);
    }

    @Override
    public long getObservedGeneration() {
        return observedGeneration;
    }

    @Override
    public void setObservedGeneration(long generation) {
        observedGeneration = generation;
    }
}
