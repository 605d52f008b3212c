package dev.evenkeel.examples.stream;

import dev.evenkeel.reconcile.condition.ConditionSet;
import dev.evenkeel.reconcile.condition.ResourceStatus;

/** The observed state of a {@link Connector}. */
public final class ConnectorStatus extends ResourceStatus {
    /** True when its account and its settings exist. */
    public static final String INPUTS_READY = "InputsReady";

    /** True when the desired number of instances runs. */
    public static final String RUNNING = "Running";

    static final ConditionSet CONDITIONS = ConditionSet.living(INPUTS_READY, RUNNING);

    private int replicas;

    /** Returns the number of ready instances. */
    public int getReplicas() {
        return replicas;
    }

    public void setReplicas(int value) {
        replicas = value;
    }
}
