package dev.evenkeel.policy.internal.model;

import dev.evenkeel.policy.internal.sharing.Shared;
import java.util.List;
import java.util.Map;

/**
 * An interface that policies apply to: of a pod, or of a host.
 *
 * @param name the pod as {@code namespace/name}, or the name of the host endpoint
 * @param workload true for a pod, false for an interface of a host
 * @param node the node it is on
 * @param interfaceName the network interface on the node; empty for all interfaces of a host, and for pods
 * @param addresses its addresses
 * @param labels its own labels
 * @param profiles the names of its profiles: labels are inherited from the first one that has them
 * @param ports its named ports
 */
public record Endpoint(
        String name,
        boolean workload,
        String node,
        String interfaceName,
        List<Cidr> addresses,
        Map<String, String> labels,
        List<String> profiles,
        List<NamedPort> ports)
        implements Holder {
    /** Copies the collections. */
    public Endpoint {
        addresses = List.copyOf(addresses);
        labels = Shared.of(Map.copyOf(labels));
        profiles = List.copyOf(profiles);
        ports = List.copyOf(ports);
    }

    /**
     * A port with a name.
     *
     * @param name the name, which another port may have, too
     * @param protocol the protocol
     * @param port the number
     */
    public record NamedPort(String name, Protocol protocol, int port) {}
}
