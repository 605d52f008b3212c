package dev.evenkeel.policy.internal.model;

import dev.evenkeel.policy.internal.selector.Selector;
import java.util.List;
import java.util.Optional;

/**
 * The conditions of a rule on the source or the destination of a connection. All that are present must hold.
 *
 * @param selector the address belongs to something with these labels
 * @param notSelector the address belongs to nothing with these labels
 * @param nets the address is in one of the blocks; no condition if empty
 * @param notNets the address is in none of the blocks
 * @param ports the port is one of these; no condition if empty
 * @param notPorts the port is none of these
 * @param service the address belongs to this Service
 */
public record Match(
        Optional<Selector> selector,
        Optional<Selector> notSelector,
        List<Cidr> nets,
        List<Cidr> notNets,
        Ports ports,
        Ports notPorts,
        Optional<ServiceMatch> service) {
    /** No condition. */
    public static final Match ANY = of(Optional.empty(), List.of(), List.of());

    /** Copies the lists. */
    public Match {
        nets = List.copyOf(nets);
        notNets = List.copyOf(notNets);
    }

    /** Returns the condition that the address belongs to something with these labels. */
    public static Match of(Selector selector) {
        return of(Optional.of(selector), List.of(), List.of());
    }

    /** Returns the condition that the address is in one of the blocks, and in none of the others. */
    public static Match of(List<Cidr> nets, List<Cidr> notNets) {
        return of(Optional.empty(), nets, notNets);
    }

    private static Match of(Optional<Selector> selector, List<Cidr> nets, List<Cidr> notNets) {
        return new Match(selector, Optional.empty(), nets, notNets, Ports.NONE, Ports.NONE, Optional.empty());
    }

    /** Returns the same conditions with other ports. */
    public Match withPorts(Ports value) {
        return new Match(selector, notSelector, nets, notNets, value, notPorts, service);
    }
}
