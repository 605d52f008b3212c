package dev.evenkeel.examples.stream;

import dev.evenkeel.reconcile.condition.ConditionSet;
import dev.evenkeel.reconcile.condition.ResourceStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is, of a {@link Broker}. */
public final class BrokerStatus extends ResourceStatus {
    /** Whether all that it is configured by is there. */
    public static final String CONFIGURED = "Configured";

    /** Whether as many servers run as are wanted. */
    public static final String SERVING = "Serving";

    /** Whether clients find its listeners. */
    public static final String REACHABLE = "Reachable";

    static final ConditionSet CONDITIONS = ConditionSet.living(CONFIGURED, SERVING, REACHABLE);

    private int replicas;
    private List<String> addresses = List.of();

    /** A status that says nothing. */
    public BrokerStatus() {}

    /** How many servers are ready. */
    public int getReplicas() {
        return replicas;
    }

    /** Says it. */
    public void setReplicas(int value) {
        replicas = value;
    }

    /** Where clients reach it, one for each listener, in their order; one that has none yet is empty. */
    public List<String> getAddresses() {
        return addresses;
    }

    /** Says it. */
    public void setAddresses(@Nullable List<String> value) {
        addresses = value == null ? List.of() : List.copyOf(value);
    }
}
