package dev.evenkeel.examples.stream;

import dev.evenkeel.reconcile.condition.ConditionSet;
import dev.evenkeel.reconcile.condition.ResourceStatus;

/** The observed state of a {@link Topic}. */
public final class TopicStatus extends ResourceStatus {
    /** True when its broker exists and is ready. */
    public static final String BROKER_READY = "BrokerReady";

    /** True when the broker has it as desired. */
    public static final String PROVISIONED = "Provisioned";

    static final ConditionSet CONDITIONS = ConditionSet.living(BROKER_READY, PROVISIONED);

    private int partitions;

    /** Returns the number of its partitions at the broker. */
    public int getPartitions() {
        return partitions;
    }

    public void setPartitions(int value) {
        partitions = value;
    }
}
