package dev.evenkeel.policy.internal.explain;

import dev.evenkeel.policy.internal.convert.PolicyModel;
import dev.evenkeel.policy.internal.model.Action;
import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.internal.model.Direction;
import dev.evenkeel.policy.internal.model.Endpoint;
import dev.evenkeel.policy.internal.model.Endpoint.NamedPort;
import dev.evenkeel.policy.internal.model.Icmp;
import dev.evenkeel.policy.internal.model.Match;
import dev.evenkeel.policy.internal.model.Networks;
import dev.evenkeel.policy.internal.model.Policy;
import dev.evenkeel.policy.internal.model.Ports;
import dev.evenkeel.policy.internal.model.Profile;
import dev.evenkeel.policy.internal.model.Protocol;
import dev.evenkeel.policy.internal.model.Rule;
import dev.evenkeel.policy.internal.model.TierOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides on single connections from the whole model, without indexes: the definition of the verdicts that incremental
 * calculation and the data plane must agree with.
 *
 * <p>A connection is allowed if the endpoints at its source allow its egress and those at its destination its ingress. An
 * address without an endpoint is not subject to policy.
 *
 * <ol>
 *   <li>A pod reaches itself, and is reached from the addresses of its node.
 *   <li>Of each tier that has policies for the endpoint and the direction, the first rule that matches decides: it allows,
 *       denies, or passes to the next tier. If none matches, the default action of the tier decides.
 *   <li>After all tiers, the first matching rule of the profiles decides. If none matches, the connection is denied. A
 *       profile that does not exist denies.
 * </ol>
 *
 * <p>Conditions on labels are about addresses: one holds if anything that has the address has the labels, be it an endpoint
 * or a network set.
 *
 * <p>Not thread-safe: it keeps the labels of addresses that it has seen.
 */
public final class Evaluator {
    private final PolicyModel model;
    private final Map<Cidr, List<Holder>> holders = new HashMap<>();

    /** Creates an evaluator of a model. */
    public Evaluator(PolicyModel model) {
        this.model = model;
    }

    /**
     * A connection.
     *
     * @param source the address that opens it
     * @param sourcePort the port at the source; 0 if the protocol has none
     * @param destination the address it is opened to
     * @param port the port at the destination; 0 if the protocol has none
     * @param protocol its protocol
     * @param icmp the message that opens it, with its code; empty if the protocol has none
     */
    public record Connection(
            Cidr source, int sourcePort, Cidr destination, int port, Protocol protocol, Optional<Icmp> icmp) {}

    /**
     * The verdict of one endpoint.
     *
     * @param endpoint the endpoint
     * @param direction the direction of the connection
     * @param allowed the verdict
     * @param reason the rule or the default that decides
     * @param path the steps before: rules that log or pass, tiers that pass
     */
    public record Decision(Endpoint endpoint, Direction direction, boolean allowed, String reason, List<String> path) {}

    /** Returns the verdicts of all endpoints at both ends: the connection is allowed if all allow it. */
    public List<Decision> decide(Connection connection) {
        List<Endpoint> sources = endpoints(connection.source());
        List<Endpoint> destinations = endpoints(connection.destination());
        List<Decision> decisions = new ArrayList<>();
        for (Endpoint source : sources) {
            decisions.add(
                    destinations.contains(source)
                            ? own(source, Direction.EGRESS)
                            : decide(source, Direction.EGRESS, connection));
        }
        for (Endpoint destination : destinations) {
            decisions.add(
                    sources.contains(destination)
                            ? own(destination, Direction.INGRESS)
                            : decide(destination, Direction.INGRESS, connection));
        }
        return decisions;
    }

    private List<Endpoint> endpoints(Cidr address) {
        return model.endpoints().stream()
                .filter(endpoint -> endpoint.addresses().contains(address))
                .toList();
    }

    private static Decision own(Endpoint endpoint, Direction direction) {
        return new Decision(endpoint, direction, true, "the connection does not leave the endpoint", List.of());
    }

    private Decision decide(Endpoint endpoint, Direction direction, Connection connection) {
        if (direction == Direction.INGRESS && endpoint.workload() && isOwnNode(endpoint, connection.source())) {
            return new Decision(endpoint, direction, true, "the source is the node of the pod", List.of());
        }
        Map<String, String> labels = model.labels(endpoint);
        List<Policy> policies = model.policies().stream()
                .filter(policy ->
                        policy.types().contains(direction) && policy.selector().matches(labels))
                .toList();
        List<String> path = new ArrayList<>();
        for (TierOrder tier : model.tiers()) {
            List<Policy> ofTier = policies.stream()
                    .filter(policy -> policy.tier().equals(tier.name()))
                    .toList();
            Optional<Decision> decision =
                    ofTier.isEmpty() ? Optional.empty() : decide(endpoint, direction, connection, tier, ofTier, path);
            if (decision.isPresent()) {
                return decision.get();
            }
        }
        return byProfiles(endpoint, direction, connection, path);
    }

    private boolean isOwnNode(Endpoint endpoint, Cidr source) {
        Networks node = model.nodes().get(endpoint.node());
        return node != null && node.nets().contains(source);
    }

    /** Returns the verdict of a tier; empty if it passes. */
    private Optional<Decision> decide(
            Endpoint endpoint,
            Direction direction,
            Connection connection,
            TierOrder tier,
            List<Policy> policies,
            List<String> path) {
        for (Policy policy : policies) {
            for (Rule rule : policy.rules(direction)) {
                if (!matches(rule, connection)) {
                    continue;
                }
                String by = policy.key() + ", " + rule.origin() + ", in tier " + tier.name();
                switch (rule.action()) {
                    case ALLOW, DENY -> {
                        boolean allowed = rule.action() == Action.ALLOW;
                        return Optional.of(new Decision(
                                endpoint, direction, allowed, (allowed ? "allowed by " : "denied by ") + by, path));
                    }
                    case PASS -> {
                        path.add("passed by " + by);
                        return Optional.empty();
                    }
                    case LOG -> path.add("logged by " + by);
                }
            }
        }
        String none = "no rule matches in tier " + tier.name() + " of "
                + String.join(
                        ", ",
                        policies.stream().map(policy -> policy.key().toString()).toList());
        if (tier.defaultAction() == Action.PASS) {
            path.add(none);
            return Optional.empty();
        }
        return Optional.of(new Decision(endpoint, direction, false, none, path));
    }

    private Decision byProfiles(Endpoint endpoint, Direction direction, Connection connection, List<String> path) {
        for (String name : endpoint.profiles()) {
            Profile profile = Optional.ofNullable(model.profiles().get(name)).orElseGet(() -> Profile.missing(name));
            for (Rule rule : profile.rules(direction)) {
                if (matches(rule, connection) && rule.action() != Action.LOG) {
                    boolean allowed = rule.action() == Action.ALLOW;
                    String reason = "no policy decides; " + (allowed ? "allowed" : "denied") + " by profile " + name
                            + ": " + rule.origin();
                    return new Decision(endpoint, direction, allowed, reason, path);
                }
            }
        }
        return new Decision(endpoint, direction, false, "no policy decides, and no profile allows", path);
    }

    private boolean matches(Rule rule, Connection connection) {
        Protocol protocol = connection.protocol();
        return rule.protocol().stream().allMatch(protocol::equals)
                && rule.notProtocol().stream().noneMatch(protocol::equals)
                && rule.icmp().stream()
                        .allMatch(
                                icmp -> connection.icmp().filter(icmp::contains).isPresent())
                && rule.notIcmp().stream()
                        .noneMatch(
                                icmp -> connection.icmp().filter(icmp::contains).isPresent())
                && matches(rule.source(), connection.source(), protocol, connection.sourcePort())
                && matches(rule.destination(), connection.destination(), protocol, connection.port());
    }

    private boolean matches(Match match, Cidr address, Protocol protocol, int port) {
        return (match.nets().isEmpty() || match.nets().stream().anyMatch(block -> block.contains(address)))
                && match.notNets().stream().noneMatch(block -> block.contains(address))
                && (match.ports().isEmpty() || isOneOf(match.ports(), match, address, protocol, port))
                && !isOneOf(match.notPorts(), match, address, protocol, port)
                && matchesLabels(match, address)
                && match.service().stream()
                        .allMatch(service ->
                                model.slices().stream().anyMatch(slice -> slice.has(service, address, protocol, port)));
    }

    private boolean matchesLabels(Match match, Cidr address) {
        if (match.selector().isEmpty()) {
            return match.notSelector().isEmpty()
                    || holders(address).stream()
                            .noneMatch(holder -> match.notSelector().get().matches(holder.labels()));
        }
        return holders(address).stream().anyMatch(holder -> isSelected(match, holder));
    }

    private static boolean isSelected(Match match, Holder holder) {
        return match.selector().stream().allMatch(selector -> selector.matches(holder.labels()))
                && match.notSelector().stream().noneMatch(not -> not.matches(holder.labels()));
    }

    private boolean isOneOf(Ports ports, Match match, Cidr address, Protocol protocol, int port) {
        if (!protocol.hasPorts()) {
            return false;
        }
        return ports.ranges().stream().anyMatch(range -> range.contains(port))
                || (!ports.names().isEmpty()
                        && holders(address).stream()
                                .filter(holder -> match.selector().isEmpty() || isSelected(match, holder))
                                .flatMap(holder -> holder.ports().stream())
                                .anyMatch(named -> ports.names().contains(named.name())
                                        && named.protocol().equals(protocol)
                                        && named.port() == port));
    }

    /** Something that has an address: its labels, as selectors see them, and its named ports. */
    private record Holder(Map<String, String> labels, List<NamedPort> ports) {}

    private List<Holder> holders(Cidr address) {
        return holders.computeIfAbsent(address, key -> {
            Stream<Holder> found =
                    endpoints(key).stream().map(endpoint -> new Holder(model.labels(endpoint), endpoint.ports()));
            Stream<Holder> networks = Stream.concat(model.networks().stream(), model.nodes().values().stream())
                    .filter(blocks -> blocks.nets().stream().anyMatch(block -> block.contains(key)))
                    .map(blocks -> new Holder(model.labels(blocks), List.of()));
            return Stream.concat(found, networks).toList();
        });
    }
}
