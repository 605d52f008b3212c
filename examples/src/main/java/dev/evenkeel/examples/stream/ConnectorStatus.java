package dev.evenkeel.examples.stream;

import dev.evenkeel.reconcile.condition.ConditionSet;
import dev.evenkeel.reconcile.condition.ResourceStatus;

/** What is, of a {@link Connector}. */
public final class ConnectorStatus extends ResourceStatus {
    /** Whether its account and its settings are there. */
    public static final String INPUTS_READY = "InputsReady";

    /** Whether as many of it run as are wanted. */
    public static final String RUNNING = "Running";

    static final ConditionSet CONDITIONS = ConditionSet.living(INPUTS_READY, RUNNING);

    private int replicas;

    /** A status that says nothing. */
    public ConnectorStatus() {}

    /** How many of it are ready. */
    public int getReplicas() {
        return replicas;
    }

    /** Says it. */
    public void setReplicas(int value) {
        replicas = value;
    }
}
