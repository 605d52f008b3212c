package dev.evenkeel.policy.internal.convert;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.policy.ClusterNetworkPolicy;
import dev.evenkeel.policy.ClusterNetworkPolicySpec;
import dev.evenkeel.policy.ClusterNetworkPolicySpec.EgressRule;
import dev.evenkeel.policy.ClusterNetworkPolicySpec.IngressRule;
import dev.evenkeel.policy.ClusterNetworkPolicySpec.NamespacedPod;
import dev.evenkeel.policy.ClusterNetworkPolicySpec.Peer;
import dev.evenkeel.policy.ClusterNetworkPolicySpec.Port;
import dev.evenkeel.policy.ClusterNetworkPolicySpec.PortMatch;
import dev.evenkeel.policy.ClusterNetworkPolicySpec.Protocols;
import dev.evenkeel.policy.ClusterNetworkPolicySpec.Subject;
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
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * ClusterNetworkPolicies as policies of the tiers {@code kube-admin} and {@code kube-baseline}.
 *
 * <p>The API demands of implementations that do not understand a part of a rule, such as a field of a newer version, to fail
 * closed: an Accept rule matches nothing then, and a Deny or Pass rule denies everything.
 *
 * <ol>
 *   <li>That holds for the whole rule if its action is unknown, and for each peer and each entry of protocols of an Accept
 *       rule on its own.
 *   <li>Domain names are not supported.
 *   <li>A policy with an unknown tier is in the first one, and its Accept rules match nothing.
 *   <li>A policy with an invalid selector of its subject applies to all pods, and its Accept rules match nothing. One
 *       without a subject that this version knows applies to no pods.
 * </ol>
 */
public final class ClusterNetworkPolicyConversion {
    private static final String CLOSED = "it fails closed: Accept matches nothing, Deny and Pass deny everything";

    private final Problems problems;
    private boolean accepts = true;

    private ClusterNetworkPolicyConversion(Problems problems) {
        this.problems = problems;
    }

    /** Converts a policy; reports what could not be converted as written. */
    public static Policy convert(ClusterNetworkPolicy policy, Consumer<String> problems) {
        Policy.Key key =
                new Policy.Key("ClusterNetworkPolicy", "", ObjectKey.of(policy).name());
        ClusterNetworkPolicySpec spec = policy.getSpec() == null
                ? new ClusterNetworkPolicySpec(null, null, null, List.of(), List.of())
                : policy.getSpec();
        return new ClusterNetworkPolicyConversion(new Problems(key.toString(), problems)).policy(key, spec);
    }

    private Policy policy(Policy.Key key, ClusterNetworkPolicySpec spec) {
        TierOrder tier = tier(spec.tier());
        Selector subject = subject(spec.subject());
        if (spec.priority() == null) {
            problems.add("spec.priority", "is required", "the policy comes last in its tier");
        }
        List<Rule> ingress = new ArrayList<>();
        for (int i = 0; i < spec.ingress().size(); i++) {
            IngressRule rule = spec.ingress().get(i);
            String field = "spec.ingress[" + i + "]";
            ingress.addAll(rules(
                    new Written(field, rule.name(), rule.action(), "from", rule.from(), rule.protocols()),
                    Direction.INGRESS));
        }
        List<Rule> egress = new ArrayList<>();
        for (int i = 0; i < spec.egress().size(); i++) {
            EgressRule rule = spec.egress().get(i);
            String field = "spec.egress[" + i + "]";
            egress.addAll(rules(
                    new Written(field, rule.name(), rule.action(), "to", rule.to(), rule.protocols()),
                    Direction.EGRESS));
        }
        double order = spec.priority() == null ? Double.POSITIVE_INFINITY : spec.priority();
        return new Policy(key, tier.name(), order, subject, EnumSet.allOf(Direction.class), ingress, egress);
    }

    private TierOrder tier(@Nullable String tier) {
        if ("Admin".equals(tier)) {
            return TierOrder.ADMIN;
        }
        if ("Baseline".equals(tier)) {
            return TierOrder.BASELINE;
        }
        problems.add(
                "spec.tier",
                "\"" + Objects.requireNonNullElse(tier, "") + "\" must be Admin or Baseline",
                "the policy is in the tier Admin, and its Accept rules match nothing");
        accepts = false;
        return TierOrder.ADMIN;
    }

    private Selector subject(@Nullable Subject subject) {
        int fields = subject == null ? 0 : count(subject.namespaces(), subject.pods());
        if (subject == null || fields == 0) {
            problems.add("spec.subject", "must have namespaces or pods", "the policy applies to no pods");
            return Selector.all().negate();
        }
        try {
            if (fields > 1) {
                throw new IllegalArgumentException("must have either namespaces or pods");
            }
            return subject.pods() == null
                    ? Selector.and(List.of(LabelSelectors.namespaces(subject.namespaces()), LabelSelectors.pods(null)))
                    : pods(subject.pods());
        } catch (IllegalArgumentException e) {
            problems.add(
                    "spec.subject", message(e), "the policy applies to all pods, and its Accept rules match nothing");
            accepts = false;
            return LabelSelectors.pods(null);
        }
    }

    /** A rule of either direction. */
    private record Written(
            String field,
            @Nullable String name,
            @Nullable String action,
            String peersField,
            List<Peer> peers,
            List<Protocols> protocols) {
        String origin() {
            return name == null || name.isEmpty() ? field : field + " \"" + name + "\"";
        }
    }

    /** Ports of one protocol, or ports by name of any. */
    private record Traffic(Optional<Protocol> protocol, Ports ports) {}

    private List<Rule> rules(Written written, Direction direction) {
        Action action = switch (Objects.requireNonNullElse(written.action(), "")) {
            case "Accept" -> Action.ALLOW;
            case "Deny" -> Action.DENY;
            case "Pass" -> Action.PASS;
            default -> null;
        };
        if (action == null) {
            problems.add(
                    written.field() + ".action",
                    "\"" + written.action() + "\" must be Accept, Deny or Pass",
                    "the rule denies everything");
            return List.of(Rule.of(Action.DENY, written.origin()));
        }
        if (action == Action.ALLOW && !accepts) {
            return List.of();
        }
        boolean complete = true;
        List<Match> peers = new ArrayList<>();
        if (written.peers().isEmpty()) {
            problems.add(written.field() + "." + written.peersField(), "must have at least one peer", CLOSED);
            complete = false;
        }
        for (int i = 0; i < written.peers().size(); i++) {
            try {
                peers.add(match(written.peers().get(i), direction));
            } catch (IllegalArgumentException e) {
                problems.add(written.field() + "." + written.peersField() + "[" + i + "]", message(e), CLOSED);
                complete = false;
            }
        }
        List<Traffic> traffic = new ArrayList<>();
        if (written.protocols().isEmpty()) {
            traffic.add(new Traffic(Optional.empty(), Ports.NONE));
        }
        for (int i = 0; i < written.protocols().size(); i++) {
            try {
                traffic.add(traffic(written.protocols().get(i)));
            } catch (IllegalArgumentException e) {
                problems.add(written.field() + ".protocols[" + i + "]", message(e), CLOSED);
                complete = false;
            }
        }
        if (!complete && action != Action.ALLOW) {
            return List.of(Rule.of(Action.DENY, written.origin()));
        }
        List<Rule> rules = new ArrayList<>();
        for (Traffic ports : traffic) {
            for (Match peer : peers) {
                boolean ingress = direction == Direction.INGRESS;
                rules.add(new Rule(
                        action,
                        ports.protocol(),
                        Optional.empty(),
                        ingress ? peer : Match.ANY,
                        (ingress ? Match.ANY : peer).withPorts(ports.ports()),
                        written.origin()));
            }
        }
        return rules;
    }

    private static Match match(Peer peer, Direction direction) {
        if (count(peer.namespaces(), peer.pods(), peer.nodes(), peer.networks(), peer.domainNames()) != 1) {
            throw new IllegalArgumentException("must have exactly one field that this version supports");
        }
        if (peer.namespaces() != null) {
            return Match.of(
                    Selector.and(List.of(LabelSelectors.namespaces(peer.namespaces()), LabelSelectors.pods(null))));
        }
        if (peer.pods() != null) {
            return Match.of(pods(peer.pods()));
        }
        if (direction == Direction.INGRESS) {
            throw new IllegalArgumentException("sources must be namespaces or pods");
        }
        if (peer.nodes() != null) {
            return Match.of(LabelSelectors.nodes(peer.nodes()));
        }
        if (peer.networks() == null) {
            throw new IllegalArgumentException("domain names are not supported");
        }
        if (peer.networks().isEmpty()) {
            throw new IllegalArgumentException("must have at least one network");
        }
        return Match.of(peer.networks().stream().map(Cidr::parse).toList(), List.of());
    }

    private static Selector pods(NamespacedPod pods) {
        if (pods.podSelector() == null) {
            throw new IllegalArgumentException("must have podSelector");
        }
        return Selector.and(
                List.of(LabelSelectors.namespaces(pods.namespaceSelector()), LabelSelectors.pods(pods.podSelector())));
    }

    private static Traffic traffic(Protocols protocols) {
        if (count(protocols.tcp(), protocols.udp(), protocols.sctp(), protocols.destinationNamedPort()) != 1) {
            throw new IllegalArgumentException("must have exactly one field that this version supports");
        }
        if (protocols.destinationNamedPort() != null) {
            if (protocols.destinationNamedPort().isEmpty()) {
                throw new IllegalArgumentException("must have the name of a port");
            }
            return new Traffic(Optional.empty(), new Ports(List.of(protocols.destinationNamedPort()), List.of()));
        }
        if (protocols.tcp() != null) {
            return new Traffic(Optional.of(Protocol.TCP), ports(protocols.tcp()));
        }
        return protocols.udp() != null
                ? new Traffic(Optional.of(Protocol.UDP), ports(protocols.udp()))
                : new Traffic(Optional.of(Protocol.SCTP), ports(protocols.sctp()));
    }

    private static Ports ports(@Nullable PortMatch match) {
        Port port = match == null ? null : match.destinationPort();
        if (port == null || count(port.number(), port.range()) != 1) {
            throw new IllegalArgumentException("must have destinationPort with either number or range");
        }
        PortRange range = port.number() != null
                ? PortRange.of(port.number())
                : new PortRange(
                        Objects.requireNonNull(port.range()).start(),
                        port.range().end());
        return new Ports(List.of(), List.of(range));
    }

    private static int count(@Nullable Object... fields) {
        return (int) Stream.of(fields).filter(Objects::nonNull).count();
    }

    private static String message(IllegalArgumentException e) {
        return String.valueOf(e.getMessage());
    }
}
