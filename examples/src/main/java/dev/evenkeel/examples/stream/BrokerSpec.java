package dev.evenkeel.examples.stream;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of a {@link Broker}.
 *
 * @param image of the servers
 * @param replicas the number of servers; odd, so that more than half can agree
 * @param gigabytes the storage of each server
 * @param listeners ports for clients
 * @param configFrom name of a ConfigMap in the same namespace with settings of the servers; null for none
 */
public record BrokerSpec(
        String image,
        int replicas,
        int gigabytes,
        List<Listener> listeners,
        @Nullable String configFrom) {
    /**
     * A port for clients.
     *
     * @param name unique in a broker
     * @param port the port
     * @param external whether clients come from outside of the cluster
     */
    public record Listener(String name, int port, boolean external) {}

    /** Missing listeners default to none. */
    public BrokerSpec {
        listeners = listeners == null ? List.of() : List.copyOf(listeners);
    }
}
