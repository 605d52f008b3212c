package dev.evenkeel.policy.internal.model;

import java.util.Optional;

/**
 * A rule of a policy or a profile. All conditions that are present must hold.
 *
 * @param action the effect
 * @param protocol the protocol of the connection
 * @param notProtocol a protocol that the connection does not have
 * @param icmp the messages of {@code protocol}, which is ICMP or ICMPv6
 * @param notIcmp messages of it that the connection does not have
 * @param source the conditions on the source
 * @param destination the conditions on the destination
 * @param origin the field that the rule comes from, such as {@code spec.ingress[0].from[1]}, with its name if it has one
 */
public record Rule(
        Action action,
        Optional<Protocol> protocol,
        Optional<Protocol> notProtocol,
        Optional<Icmp> icmp,
        Optional<Icmp> notIcmp,
        Match source,
        Match destination,
        String origin) {
    /** Creates a rule without conditions on messages of ICMP. */
    public Rule(
            Action action,
            Optional<Protocol> protocol,
            Optional<Protocol> notProtocol,
            Match source,
            Match destination,
            String origin) {
        this(action, protocol, notProtocol, Optional.empty(), Optional.empty(), source, destination, origin);
    }

    /** Returns a rule that matches everything. */
    public static Rule of(Action action, String origin) {
        return new Rule(action, Optional.empty(), Optional.empty(), Match.ANY, Match.ANY, origin);
    }
}
