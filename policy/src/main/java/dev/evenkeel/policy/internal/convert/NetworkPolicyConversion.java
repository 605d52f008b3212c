package dev.evenkeel.policy.internal.convert;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.policy.internal.model.Action;
import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.internal.model.Direction;
import dev.evenkeel.policy.internal.model.Match;
import dev.evenkeel.policy.internal.model.Policy;
import dev.evenkeel.policy.internal.model.PortRange;
import dev.evenkeel.policy.internal.model.Ports;
import dev.evenkeel.policy.internal.model.Protocol;
import dev.evenkeel.policy.internal.model.Rule;
import dev.evenkeel.policy.internal.model.TierOrder;
import dev.evenkeel.policy.internal.selector.Selector;
import dev.evenkeel.policy.internal.sharing.Shared;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.networking.v1.IPBlock;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyEgressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicySpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * NetworkPolicies as policies of the tier {@code default}.
 *
 * <p>A rule becomes one rule of the model for each of its protocols and peers. The API server validates objects, but not
 * every object comes from one: what is invalid makes a policy stricter, never wider.
 *
 * <ol>
 *   <li>An invalid port drops its rule; an invalid peer drops itself; a rule whose peers are all dropped allows nothing,
 *       although a rule without peers allows everything.
 *   <li>An invalid {@code podSelector} isolates all pods of the namespace.
 *   <li>An unknown policy type isolates in both directions.
 * </ol>
 */
public final class NetworkPolicyConversion {
    private static final double ORDER = 1_000;

    private final Problems problems;
    private final String namespace;

    private NetworkPolicyConversion(Problems problems, String namespace) {
        this.problems = problems;
        this.namespace = namespace;
    }

    /** Converts a policy; reports what could not be converted as written. */
    public static Policy convert(NetworkPolicy policy, Consumer<String> problems) {
        ObjectKey object = ObjectKey.of(policy);
        Policy.Key key = Shared.of(new Policy.Key("NetworkPolicy", object.namespace(), object.name()));
        NetworkPolicySpec spec = policy.getSpec() == null ? new NetworkPolicySpec() : policy.getSpec();
        return new NetworkPolicyConversion(new Problems(key.toString(), problems), key.namespace()).policy(key, spec);
    }

    private Policy policy(Policy.Key key, NetworkPolicySpec spec) {
        Selector own = Selector.equal(LabelNames.NAMESPACE, namespace);
        Set<Direction> types = types(spec);
        Selector pods;
        try {
            pods = LabelSelectors.pods(spec.getPodSelector());
        } catch (IllegalArgumentException e) {
            problems.add("spec.podSelector", message(e), "all pods of the namespace are isolated");
            Selector all = Selector.and(List.of(LabelSelectors.pods(null), own));
            return new Policy(key, TierOrder.DEFAULT.name(), ORDER, all, types, List.of(), List.of());
        }
        List<Rule> ingress = new ArrayList<>();
        List<NetworkPolicyIngressRule> from = spec.getIngress() == null ? List.of() : spec.getIngress();
        for (int i = 0; i < from.size(); i++) {
            String field = "spec.ingress[" + i + "]";
            ingress.addAll(rules(
                    field, field + ".from", from.get(i).getPorts(), from.get(i).getFrom(), this::ingress));
        }
        List<Rule> egress = new ArrayList<>();
        List<NetworkPolicyEgressRule> to = spec.getEgress() == null ? List.of() : spec.getEgress();
        for (int i = 0; i < to.size(); i++) {
            String field = "spec.egress[" + i + "]";
            egress.addAll(
                    rules(field, field + ".to", to.get(i).getPorts(), to.get(i).getTo(), this::egress));
        }
        return new Policy(
                key, TierOrder.DEFAULT.name(), ORDER, Selector.and(List.of(pods, own)), types, ingress, egress);
    }

    /** The server sets missing types: ingress, and egress if there are rules for it. */
    private Set<Direction> types(NetworkPolicySpec spec) {
        List<String> types = spec.getPolicyTypes() == null ? List.of() : spec.getPolicyTypes();
        if (types.isEmpty()) {
            boolean egress = spec.getEgress() != null && !spec.getEgress().isEmpty();
            return egress ? EnumSet.allOf(Direction.class) : EnumSet.of(Direction.INGRESS);
        }
        Set<Direction> result = EnumSet.noneOf(Direction.class);
        for (String type : types) {
            switch (type.toLowerCase(Locale.ROOT)) {
                case "ingress" -> result.add(Direction.INGRESS);
                case "egress" -> result.add(Direction.EGRESS);
                default -> {
                    problems.add(
                            "spec.policyTypes",
                            "\"" + type + "\" must be Ingress or Egress",
                            "the policy applies to both directions");
                    result.addAll(EnumSet.allOf(Direction.class));
                }
            }
        }
        return result;
    }

    /** A peer with the field it comes from. */
    private record Peer(String origin, Match match) {}

    /** The ports of each protocol; without ports, nothing about the protocol. */
    private record Traffic(Optional<Protocol> protocol, Ports ports) {}

    private Rule ingress(Peer peer, Traffic traffic) {
        return new Rule(
                Action.ALLOW,
                traffic.protocol(),
                Optional.empty(),
                peer.match(),
                Match.ANY.withPorts(traffic.ports()),
                peer.origin());
    }

    private Rule egress(Peer peer, Traffic traffic) {
        return new Rule(
                Action.ALLOW,
                traffic.protocol(),
                Optional.empty(),
                Match.ANY,
                peer.match().withPorts(traffic.ports()),
                peer.origin());
    }

    private List<Rule> rules(
            String field,
            String peersField,
            @Nullable List<NetworkPolicyPort> ports,
            @Nullable List<NetworkPolicyPeer> peers,
            BiFunction<Peer, Traffic, Rule> rule) {
        List<Rule> rules = new ArrayList<>();
        List<Peer> all = peers(field, peersField, peers);
        for (Traffic traffic : traffic(field, ports)) {
            for (Peer peer : all) {
                rules.add(rule.apply(peer, traffic));
            }
        }
        return rules;
    }

    private List<Peer> peers(String field, String peersField, @Nullable List<NetworkPolicyPeer> peers) {
        if (peers == null || peers.isEmpty()) {
            return List.of(new Peer(field, Match.ANY));
        }
        List<Peer> result = new ArrayList<>();
        for (int i = 0; i < peers.size(); i++) {
            String origin = peersField + "[" + i + "]";
            try {
                result.add(new Peer(origin, match(peers.get(i))));
            } catch (IllegalArgumentException e) {
                problems.add(origin, message(e), "the peer matches nothing");
            }
        }
        return result;
    }

    private Match match(@Nullable NetworkPolicyPeer peer) {
        if (peer == null) {
            throw new IllegalArgumentException("must be a peer: null");
        }
        boolean selectors = peer.getPodSelector() != null || peer.getNamespaceSelector() != null;
        if (selectors == (peer.getIpBlock() != null)) {
            throw new IllegalArgumentException("must have either ipBlock, or podSelector or namespaceSelector or both");
        }
        if (peer.getIpBlock() != null) {
            return match(peer.getIpBlock());
        }
        Selector pods = LabelSelectors.pods(peer.getPodSelector());
        Selector namespaces = peer.getNamespaceSelector() == null
                ? Selector.equal(LabelNames.NAMESPACE, namespace)
                : LabelSelectors.namespaces(peer.getNamespaceSelector());
        return Match.of(Selector.and(List.of(namespaces, pods)));
    }

    private static Match match(IPBlock block) {
        Cidr net = Cidr.parse(block.getCidr() == null ? "" : block.getCidr());
        List<String> except = block.getExcept() == null ? List.of() : block.getExcept();
        return Match.of(List.of(net), except.stream().map(Cidr::parse).toList());
    }

    /** Returns the ports of each protocol, sorted by its name; nothing if a port is invalid. */
    private List<Traffic> traffic(String field, @Nullable List<NetworkPolicyPort> ports) {
        if (ports == null || ports.isEmpty()) {
            return List.of(new Traffic(Optional.empty(), Ports.NONE));
        }
        // no ports of a protocol are all of them
        Map<Protocol, Ports> byProtocol = new TreeMap<>(Comparator.comparing(Protocol::toString));
        for (int i = 0; i < ports.size(); i++) {
            try {
                Protocol protocol = protocol(ports.get(i));
                Ports port = ports(ports.get(i));
                byProtocol.merge(protocol, port, NetworkPolicyConversion::union);
            } catch (IllegalArgumentException e) {
                problems.add(field + ".ports[" + i + "]", message(e), "the rule matches nothing");
                return List.of();
            }
        }
        return byProtocol.entrySet().stream()
                .map(entry -> new Traffic(Optional.of(entry.getKey()), entry.getValue()))
                .toList();
    }

    private static Ports union(Ports some, Ports others) {
        if (some.isEmpty() || others.isEmpty()) {
            return Ports.NONE;
        }
        List<String> names = new ArrayList<>(some.names());
        names.addAll(others.names());
        List<PortRange> ranges = new ArrayList<>(some.ranges());
        ranges.addAll(others.ranges());
        return new Ports(names, ranges);
    }

    private static Protocol protocol(@Nullable NetworkPolicyPort port) {
        if (port == null) {
            throw new IllegalArgumentException("must be a port: null");
        }
        String name = port.getProtocol() == null ? "TCP" : port.getProtocol();
        return Protocol.find(name)
                .filter(Protocol::hasPorts)
                .orElseThrow(
                        () -> new IllegalArgumentException("the protocol \"" + name + "\" must be TCP, UDP or SCTP"));
    }

    private static Ports ports(NetworkPolicyPort port) {
        IntOrString value = port.getPort();
        Integer end = port.getEndPort();
        if (value == null) {
            if (end != null) {
                throw new IllegalArgumentException("endPort must not be set without port: " + end);
            }
            return Ports.NONE;
        }
        Ports first = PortTexts.parse(value, '\0');
        if (end == null) {
            return first;
        }
        if (first.ranges().isEmpty()) {
            throw new IllegalArgumentException("endPort must not be set with a named port: " + end);
        }
        return new Ports(
                List.of(), List.of(new PortRange(first.ranges().getFirst().first(), end)));
    }

    private static String message(IllegalArgumentException e) {
        return String.valueOf(e.getMessage());
    }
}
