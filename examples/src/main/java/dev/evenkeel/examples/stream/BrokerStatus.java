package dev.evenkeel.examples.stream;

import dev.evenkeel.reconcile.condition.ConditionSet;
import dev.evenkeel.reconcile.condition.ResourceStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The observed state of a {@link Broker}. */
public final class BrokerStatus extends ResourceStatus {
    /** True when all its configuration exists. */
    public static final String CONFIGURED = "Configured";

    /** True when the desired number of servers runs. */
    public static final String SERVING = "Serving";

    /** True when clients can reach its listeners. */
    public static final String REACHABLE = "Reachable";

    static final ConditionSet CONDITIONS = ConditionSet.living(CONFIGURED, SERVING, REACHABLE);

    private int replicas;
    private List<String> addresses = List.of();

    /** Returns the number of ready servers. */
    public int getReplicas() {
        return replicas;
    }

    public void setReplicas(int value) {
        replicas = value;
    }

    /** Returns the addresses for clients, one for each listener, in their order; empty for one without an address. */
    public List<String> getAddresses() {
        return addresses;
    }

    public void setAddresses(@Nullable List<String> value) {
        addresses = value == null ? List.of() : List.copyOf(value);
    }
}
