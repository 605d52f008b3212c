package dev.evenkeel.reconcile.condition;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A base class for statuses of custom resources: {@code observedGeneration} and {@code conditions}. */
public class ResourceStatus implements ConditionedStatus {
    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    private long observedGeneration;

    private List<Condition> conditions = List.of();

    /** Creates an empty status. */
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
