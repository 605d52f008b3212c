package dev.evenkeel.policy.internal.calculation;

import dev.evenkeel.policy.internal.model.AddressPort;
import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.internal.model.Endpoint.NamedPort;
import dev.evenkeel.policy.internal.model.Protocol;
import dev.evenkeel.policy.internal.model.ServiceMatch;
import dev.evenkeel.policy.internal.model.ServiceName;
import dev.evenkeel.policy.internal.model.SetMember;
import dev.evenkeel.policy.internal.model.Slice;
import dev.evenkeel.policy.internal.selector.IpSetId;
import dev.evenkeel.policy.internal.selector.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A set of addresses that rules mention: of everything that a selector matches, or of their ports with a name, or of a
 * Service. Equal when the identifiers are, which depend on the contents only.
 *
 * @param id the name of the set
 * @param content what contributes members
 */
record IpSet(String id, Content content) {
    /** The things that contribute members. */
    sealed interface Content {}

    /**
     * Addresses of what a selector matches.
     *
     * @param selector the selector
     * @param port the members are ports with this name; empty for addresses
     */
    record Selected(Selector selector, Optional<PortName> port) implements Content {}

    /**
     * Addresses of a Service.
     *
     * @param match the Service, and whether members have ports
     */
    record OfService(ServiceMatch match) implements Content {}

    /**
     * A name of ports.
     *
     * @param protocol the protocol of the ports; empty for any
     * @param name the name
     */
    record PortName(Optional<Protocol> protocol, String name) {}

    /** Returns the set of addresses of everything that a selector matches. */
    static IpSet of(Selector selector) {
        return new IpSet(IpSetId.of(selector), new Selected(selector, Optional.empty()));
    }

    /** Returns the set of ports with a name of everything that a selector matches. */
    static IpSet ofNamedPort(Selector selector, Optional<Protocol> protocol, String name) {
        String text = protocol.map(Protocol::toString).orElse("");
        return new IpSet(
                IpSetId.ofNamedPort(selector, text, name),
                new Selected(selector, Optional.of(new PortName(protocol, name))));
    }

    /** Returns the set of addresses of a Service, with its ports or without. */
    static IpSet of(ServiceMatch match) {
        ServiceName service = match.service();
        return new IpSet(
                match.withPorts()
                        ? IpSetId.ofService(service.namespace(), service.name())
                        : IpSetId.ofServiceAddresses(service.namespace(), service.name()),
                new OfService(match));
    }

    /** Returns the sets that a Service may have. */
    static List<IpSet> all(ServiceName service) {
        return List.of(of(new ServiceMatch(service, false)), of(new ServiceMatch(service, true)));
    }

    /** Returns the selector of what contributes members; null for a Service. */
    @Nullable
    Selector selector() {
        return content instanceof Selected selected ? selected.selector() : null;
    }

    /** Returns whether members have ports. */
    boolean hasPorts() {
        return switch (content) {
            case Selected selected -> selected.port().isPresent();
            case OfService service -> service.match().withPorts();
        };
    }

    /** Returns the members that something which the selector matches contributes. */
    List<SetMember> members(Addresses addresses) {
        Optional<PortName> port = content instanceof Selected selected ? selected.port() : Optional.empty();
        if (port.isEmpty()) {
            return List.copyOf(addresses.blocks());
        }
        PortName wanted = port.get();
        List<SetMember> members = new ArrayList<>();
        for (NamedPort named : addresses.ports()) {
            if (named.name().equals(wanted.name()) && wanted.protocol().stream().allMatch(named.protocol()::equals)) {
                addresses
                        .blocks()
                        .forEach(address -> members.add(new AddressPort(address, named.protocol(), named.port())));
            }
        }
        return members;
    }

    /** Returns the members that a part of the Service contributes. */
    List<SetMember> members(Slice slice) {
        if (!hasPorts()) {
            return List.copyOf(slice.addresses());
        }
        List<SetMember> members = new ArrayList<>();
        for (Cidr address : slice.addresses()) {
            slice.ports().forEach(port -> members.add(new AddressPort(address, port.protocol(), port.number())));
        }
        return members;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof IpSet set && set.id.equals(id);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return id;
    }
}
