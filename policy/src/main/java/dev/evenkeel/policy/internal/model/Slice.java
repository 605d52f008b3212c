package dev.evenkeel.policy.internal.model;

import java.util.List;

/**
 * A part of the endpoints of a Service: each of the addresses has each of the ports.
 *
 * @param service the Service
 * @param addresses the addresses, distinct
 * @param ports the ports, distinct
 */
public record Slice(ServiceName service, List<Cidr> addresses, List<Port> ports) {
    /** Copies the lists. */
    public Slice {
        addresses = List.copyOf(addresses);
        ports = List.copyOf(ports);
    }

    /**
     * A port.
     *
     * @param protocol the protocol
     * @param number the number
     */
    public record Port(Protocol protocol, int number) {}

    /** Returns whether an address belongs to a Service by this part of it. */
    public boolean has(ServiceMatch match, Cidr address, Protocol protocol, int port) {
        return service.equals(match.service())
                && addresses.contains(address)
                && (!match.withPorts() || ports.contains(new Port(protocol, port)));
    }
}
