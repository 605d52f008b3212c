package dev.evenkeel.policy.internal.calculation;

import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.internal.model.Endpoint;
import dev.evenkeel.policy.internal.model.Endpoint.NamedPort;
import dev.evenkeel.policy.internal.model.Holder;
import dev.evenkeel.policy.internal.model.Networks;
import java.util.List;

/**
 * The addresses that something contributes to IP sets. Labels are not in it, so a change of labels that moves
 * nothing between sets computes no members.
 *
 * @param blocks the addresses of an endpoint, or the blocks of a network set
 * @param ports the named ports of an endpoint
 */
record Addresses(List<Cidr> blocks, List<NamedPort> ports) {
    static Addresses of(Holder holder) {
        return switch (holder) {
            case Endpoint endpoint -> new Addresses(endpoint.addresses(), endpoint.ports());
            case Networks networks -> new Addresses(networks.nets(), List.of());
        };
    }
}
