package dev.evenkeel.examples.stream;

import dev.evenkeel.reconcile.condition.ConditionSet;
import dev.evenkeel.reconcile.condition.ResourceStatus;

/** What is, of a {@link Topic}. */
public final class TopicStatus extends ResourceStatus {
    /** Whether its broker is there, and ready. */
    public static final String BROKER_READY = "BrokerReady";

    /** Whether the broker has it as it is wanted. */
    public static final String PROVISIONED = "Provisioned";

    static final ConditionSet CONDITIONS = ConditionSet.living(BROKER_READY, PROVISIONED);

    private int partitions;

    /** A status that says nothing. */
    public TopicStatus() {}

    /** How many partitions the broker has of it. */
    public int getPartitions() {
        return partitions;
    }

    /** Says it. */
    public void setPartitions(int value) {
        partitions = value;
    }
}
