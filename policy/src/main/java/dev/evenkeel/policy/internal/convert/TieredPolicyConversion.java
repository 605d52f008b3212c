package dev.evenkeel.policy.internal.convert;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.policy.ClusterTieredPolicy;
import dev.evenkeel.policy.TieredPolicy;
import dev.evenkeel.policy.TieredPolicySpec;
import dev.evenkeel.policy.TieredPolicySpec.Entity;
import dev.evenkeel.policy.TieredPolicySpec.ServiceReference;
import dev.evenkeel.policy.internal.model.Action;
import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.internal.model.Direction;
import dev.evenkeel.policy.internal.model.Icmp;
import dev.evenkeel.policy.internal.model.Match;
import dev.evenkeel.policy.internal.model.Policy;
import dev.evenkeel.policy.internal.model.PortRange;
import dev.evenkeel.policy.internal.model.Ports;
import dev.evenkeel.policy.internal.model.Protocol;
import dev.evenkeel.policy.internal.model.Rule;
import dev.evenkeel.policy.internal.model.ServiceMatch;
import dev.evenkeel.policy.internal.model.ServiceName;
import dev.evenkeel.policy.internal.model.TierOrder;
import dev.evenkeel.policy.internal.selector.Selector;
import dev.evenkeel.policy.internal.sharing.Shared;
import io.fabric8.kubernetes.api.model.IntOrString;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * TieredPolicies and ClusterTieredPolicies as policies of their tiers.
 *
 * <p>The schema cannot check selectors, blocks and ports. A rule with an invalid one allows nothing: Allow and Log rules
 * match nothing, Deny and Pass rules deny everything. A policy with an invalid selector of endpoints applies to everything
 * in its namespace, or in the cluster, and its Allow and Pass rules match nothing.
 */
public final class TieredPolicyConversion {
    private final Problems problems;

    /** The namespace of the policy; empty for one of the cluster. */
    private final String namespace;

    private TieredPolicyConversion(Problems problems, String namespace) {
        this.problems = problems;
        this.namespace = namespace;
    }

    /** Converts a policy of a namespace; reports what could not be converted as written. */
    public static Policy convert(TieredPolicy policy, Consumer<String> problems) {
        ObjectKey object = ObjectKey.of(policy);
        return convert(
                Shared.of(new Policy.Key("TieredPolicy", object.namespace(), object.name())),
                policy.getSpec(),
                problems);
    }

    /** Converts a policy of the cluster; reports what could not be converted as written. */
    public static Policy convert(ClusterTieredPolicy policy, Consumer<String> problems) {
        return convert(
                Shared.of(new Policy.Key(
                        "ClusterTieredPolicy", "", ObjectKey.of(policy).name())),
                policy.getSpec(),
                problems);
    }

    private static Policy convert(Policy.Key key, @Nullable TieredPolicySpec spec, Consumer<String> problems) {
        TieredPolicySpec known =
                spec == null ? new TieredPolicySpec(null, null, null, null, List.of(), List.of(), List.of()) : spec;
        return new TieredPolicyConversion(new Problems(key.toString(), problems), key.namespace()).policy(key, known);
    }

    private Policy policy(Policy.Key key, TieredPolicySpec spec) {
        Selector selector;
        boolean valid = true;
        try {
            selector = endpoints(spec.selector(), spec.namespaceSelector());
        } catch (IllegalArgumentException e) {
            problems.add(
                    "spec.selector",
                    message(e),
                    "the policy applies to everything, and its Allow and Pass rules match nothing");
            selector = endpoints(null, null);
            valid = false;
        }
        return new Policy(
                key,
                spec.tier() == null || spec.tier().isEmpty() ? TierOrder.DEFAULT.name() : spec.tier(),
                spec.order() == null ? Double.POSITIVE_INFINITY : spec.order(),
                selector,
                types(spec),
                rules("spec.ingress", spec.ingress(), valid),
                rules("spec.egress", spec.egress(), valid));
    }

    private Selector endpoints(@Nullable String selector, @Nullable String namespaceSelector) {
        List<Selector> terms = new ArrayList<>();
        if (!namespace.isEmpty()) {
            terms.add(Selector.equal(LabelNames.NAMESPACE, namespace));
        } else if (namespaceSelector != null) {
            terms.add(namespaces(namespaceSelector));
        }
        if (selector != null) {
            terms.add(Selector.parse(selector));
        }
        terms.removeIf(Selector::isAll);
        return Selector.and(terms);
    }

    /** Returns the selector of things by the labels of their namespace, where {@code global()} is to be in none. */
    private static Selector namespaces(String text) {
        Selector namespaced = Selector.has(LabelNames.NAMESPACE);
        return Selector.parse(text)
                .rewrite(label -> LabelNames.NAMESPACE_PREFIX + label, namespaced, namespaced.negate());
    }

    private Set<Direction> types(TieredPolicySpec spec) {
        Set<Direction> types = EnumSet.noneOf(Direction.class);
        for (String type : spec.types()) {
            switch (type.toLowerCase(Locale.ROOT)) {
                case "ingress" -> types.add(Direction.INGRESS);
                case "egress" -> types.add(Direction.EGRESS);
                default -> {
                    problems.add(
                            "spec.types",
                            "\"" + type + "\" must be Ingress or Egress",
                            "the policy applies to both directions");
                    types.addAll(EnumSet.allOf(Direction.class));
                }
            }
        }
        return types.isEmpty() ? EnumSet.allOf(Direction.class) : types;
    }

    private List<Rule> rules(String field, List<TieredPolicySpec.Rule> rules, boolean valid) {
        List<Rule> result = new ArrayList<>();
        for (int i = 0; i < rules.size(); i++) {
            TieredPolicySpec.Rule rule = rules.get(i);
            String place = field + "[" + i + "]";
            String origin = rule.name() == null || rule.name().isEmpty() ? place : place + " \"" + rule.name() + "\"";
            Optional<Action> action = action(rule.action());
            if (!valid && (action.equals(Optional.of(Action.ALLOW)) || action.equals(Optional.of(Action.PASS)))) {
                continue;
            }
            try {
                result.add(Shared.of(new Rule(
                        action.orElseThrow(() -> new IllegalArgumentException(
                                "the action \"" + rule.action() + "\" must be Allow, Deny, Pass or Log")),
                        protocol(rule.protocol()),
                        protocol(rule.notProtocol()),
                        icmp("icmp", rule.icmp(), rule.protocol()),
                        icmp("notIcmp", rule.notIcmp(), rule.protocol()),
                        match(rule.source(), false),
                        match(rule.destination(), true),
                        origin)));
            } catch (IllegalArgumentException e) {
                boolean harmless = action.equals(Optional.of(Action.ALLOW)) || action.equals(Optional.of(Action.LOG));
                problems.add(place, message(e), harmless ? "the rule matches nothing" : "the rule denies everything");
                if (!harmless) {
                    result.add(Rule.of(Action.DENY, origin));
                }
            }
        }
        return result;
    }

    private static Optional<Action> action(@Nullable String text) {
        return switch (text == null ? "" : text) {
            case "Allow" -> Optional.of(Action.ALLOW);
            case "Deny" -> Optional.of(Action.DENY);
            case "Pass" -> Optional.of(Action.PASS);
            case "Log" -> Optional.of(Action.LOG);
            default -> Optional.empty();
        };
    }

    private static Optional<Protocol> protocol(@Nullable String text) {
        return Optional.ofNullable(text)
                .map(name -> Protocol.find(name)
                        .orElseThrow(() -> new IllegalArgumentException("the protocol \"" + name
                                + "\" must be TCP, UDP, SCTP, ICMP, ICMPv6 or a number from 0 to 255")));
    }

    private static Optional<Icmp> icmp(
            String field, TieredPolicySpec.@Nullable Icmp messages, @Nullable String protocol) {
        if (messages == null) {
            return Optional.empty();
        }
        if (protocol(protocol).filter(Protocol::isIcmp).isEmpty()) {
            throw new IllegalArgumentException(field + ": needs the protocol ICMP or ICMPv6");
        }
        Integer type = messages.type();
        if (type == null || type < 0 || type > 255) {
            throw new IllegalArgumentException(field + ": must have a type from 0 to 255");
        }
        Integer code = messages.code();
        if (code != null && (code < 0 || code > 255)) {
            throw new IllegalArgumentException(field + ": the code must be from 0 to 255: " + code);
        }
        return Optional.of(new Icmp(type, Optional.ofNullable(code)));
    }

    private Match match(@Nullable Entity entity, boolean destination) {
        if (entity == null) {
            return Match.ANY;
        }
        List<Selector> terms = new ArrayList<>();
        if (entity.namespaceSelector() != null) {
            terms.add(namespaces(entity.namespaceSelector()));
        } else if (entity.selector() != null && !namespace.isEmpty()) {
            terms.add(Selector.equal(LabelNames.NAMESPACE, namespace));
        }
        if (entity.selector() != null) {
            terms.add(Selector.parse(entity.selector()));
        }
        return new Match(
                terms.isEmpty() ? Optional.empty() : Optional.of(Selector.and(terms)),
                Optional.ofNullable(entity.notSelector()).map(Selector::parse),
                nets(entity.nets()),
                nets(entity.notNets()),
                ports(entity.ports()),
                ports(entity.notPorts()),
                Optional.ofNullable(entity.services()).map(service -> new ServiceMatch(service(service), destination)));
    }

    private ServiceName service(ServiceReference reference) {
        String of = Objects.requireNonNullElse(reference.namespace(), namespace);
        String name = Objects.requireNonNullElse(reference.name(), "");
        if (of.isEmpty() || name.isEmpty()) {
            throw new IllegalArgumentException("services: must have a name"
                    + (namespace.isEmpty() ? " and, in a policy of the cluster, a namespace" : ""));
        }
        return new ServiceName(of, name);
    }

    private static List<Cidr> nets(List<String> texts) {
        List<Cidr> nets = new ArrayList<>(texts.size());
        for (String text : texts) {
            nets.add(Cidr.parse(text));
        }
        return nets;
    }

    private static Ports ports(List<IntOrString> ports) {
        if (ports.isEmpty()) {
            return Ports.NONE;
        }
        List<String> names = new ArrayList<>();
        List<PortRange> ranges = new ArrayList<>();
        for (IntOrString port : ports) {
            Ports parsed = PortTexts.parse(port, ':');
            names.addAll(parsed.names());
            ranges.addAll(parsed.ranges());
        }
        return new Ports(names, ranges);
    }

    private static String message(IllegalArgumentException e) {
        return String.valueOf(e.getMessage());
    }
}
