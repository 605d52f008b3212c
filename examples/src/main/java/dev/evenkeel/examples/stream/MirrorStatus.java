package dev.evenkeel.examples.stream;

import dev.evenkeel.reconcile.condition.ConditionSet;
import dev.evenkeel.reconcile.condition.ResourceStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The observed state of a {@link Mirror}. */
public final class MirrorStatus extends ResourceStatus {
    /** True when each topic has a copy, and all are ready. */
    public static final String MIRRORED = "Mirrored";

    static final ConditionSet CONDITIONS = ConditionSet.living(MIRRORED);

    private List<String> topics = List.of();

    /** Returns the names of the copies, sorted. */
    public List<String> getTopics() {
        return topics;
    }

    public void setTopics(@Nullable List<String> value) {
        topics = value == null ? List.of() : List.copyOf(value);
    }
}
