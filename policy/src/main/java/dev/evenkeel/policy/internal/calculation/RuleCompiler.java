package dev.evenkeel.policy.internal.calculation;

import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.internal.model.Direction;
import dev.evenkeel.policy.internal.model.Icmp;
import dev.evenkeel.policy.internal.model.Match;
import dev.evenkeel.policy.internal.model.Policy;
import dev.evenkeel.policy.internal.model.Ports;
import dev.evenkeel.policy.internal.model.Profile;
import dev.evenkeel.policy.internal.model.Protocol;
import dev.evenkeel.policy.internal.selector.Selector;
import dev.evenkeel.policy.v1.Action;
import dev.evenkeel.policy.v1.IcmpType;
import dev.evenkeel.policy.v1.IpVersion;
import dev.evenkeel.policy.v1.PortRange;
import dev.evenkeel.policy.v1.Rule;
import dev.evenkeel.policy.v1.RuleEnd;
import dev.evenkeel.policy.v1.Update;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Replaces the selectors of rules by IP sets.
 *
 * <p>A positive and a negated selector of the same end become one set, of what the first matches and the second does not. A
 * named port becomes a set of addresses with ports, of what the positive selector matches, if there is one; if an end
 * has no other ports, that set stands for the selector, too. A Service becomes the set of its addresses, as a destination
 * with its ports.
 */
final class RuleCompiler {
    private static final int ID_LENGTH = 16;

    private final Map<String, IpSet> sets = new LinkedHashMap<>();

    private RuleCompiler() {}

    /**
     * Rules as they are sent.
     *
     * @param update the message that has them
     * @param sets the IP sets that they mention
     */
    record Compiled(Update update, List<IpSet> sets) {}

    /** Compiles the rules of a policy, of the directions it applies to. */
    static Compiled compile(Policy policy) {
        RuleCompiler compiler = new RuleCompiler();
        Update.Builder update = Update.newBuilder();
        update.getActivePolicyUpdateBuilder()
                .setId(Messages.id(policy.key()))
                .getPolicyBuilder()
                .setTier(policy.tier())
                .addAllInboundRules(compiler.rules(policy, Direction.INGRESS))
                .addAllOutboundRules(compiler.rules(policy, Direction.EGRESS));
        return new Compiled(update.build(), List.copyOf(compiler.sets.values()));
    }

    /** Compiles the rules of a profile. */
    static Compiled compile(Profile profile) {
        RuleCompiler compiler = new RuleCompiler();
        Update.Builder update = Update.newBuilder();
        update.getActiveProfileUpdateBuilder()
                .setName(profile.name())
                .getProfileBuilder()
                .addAllInboundRules(compiler.rules("profile in " + profile.name(), profile.ingress()))
                .addAllOutboundRules(compiler.rules("profile out " + profile.name(), profile.egress()));
        return new Compiled(update.build(), List.copyOf(compiler.sets.values()));
    }

    private List<Rule> rules(Policy policy, Direction direction) {
        return policy.types().contains(direction)
                ? rules("policy " + direction + " " + policy.key(), policy.rules(direction))
                : List.of();
    }

    private List<Rule> rules(String seed, List<dev.evenkeel.policy.internal.model.Rule> rules) {
        MessageDigest digest = digest();
        byte[] chained = digest.digest(seed.getBytes(StandardCharsets.UTF_8));
        List<Rule> compiled = new ArrayList<>();
        for (dev.evenkeel.policy.internal.model.Rule rule : rules) {
            Rule.Builder message = rule(rule);
            digest.update(chained);
            chained = digest.digest(message.build().toByteArray());
            String id = Base64.getUrlEncoder().withoutPadding().encodeToString(chained);
            compiled.add(message.setRuleId(id.substring(0, ID_LENGTH)).build());
        }
        return compiled;
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-224");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-224 is missing in this Java runtime", e);
        }
    }

    private Rule.Builder rule(dev.evenkeel.policy.internal.model.Rule rule) {
        Rule.Builder message = Rule.newBuilder()
                .setAction(
                        switch (rule.action()) {
                            case ALLOW -> Action.ACTION_ALLOW;
                            case DENY -> Action.ACTION_DENY;
                            case PASS -> Action.ACTION_PASS;
                            case LOG -> Action.ACTION_LOG;
                        })
                .setOrigin(rule.origin());
        rule.protocol().ifPresent(protocol -> {
            message.setProtocol(protocol.number());
            if (protocol.equals(Protocol.ICMP)) {
                message.setIpVersion(IpVersion.IP_VERSION_4);
            } else if (protocol.equals(Protocol.ICMPV6)) {
                message.setIpVersion(IpVersion.IP_VERSION_6);
            }
        });
        rule.notProtocol().ifPresent(protocol -> message.setNotProtocol(protocol.number()));
        rule.icmp().ifPresent(icmp -> message.setIcmp(icmp(icmp)));
        rule.notIcmp().ifPresent(icmp -> message.setNotIcmp(icmp(icmp)));
        if (!rule.source().equals(Match.ANY)) {
            message.setSource(end(rule.source(), rule.protocol()));
        }
        if (!rule.destination().equals(Match.ANY)) {
            message.setDestination(end(rule.destination(), rule.protocol()));
        }
        return message;
    }

    private static IcmpType icmp(Icmp messages) {
        IcmpType.Builder icmp = IcmpType.newBuilder().setType(messages.type());
        messages.code().ifPresent(icmp::setCode);
        return icmp.build();
    }

    private RuleEnd end(Match match, Optional<Protocol> protocol) {
        RuleEnd.Builder end = RuleEnd.newBuilder();
        match.nets().stream().map(Cidr::toString).forEach(end::addNets);
        match.notNets().stream().map(Cidr::toString).forEach(end::addNotNets);
        Optional<Selector> selector = match.selector();
        if (selector.isPresent() && match.notSelector().isPresent()) {
            Selector not = match.notSelector().get().negate();
            selector = Optional.of(Selector.and(List.of(selector.get(), not)));
        } else {
            match.notSelector().ifPresent(not -> end.addNotIpSetIds(named(IpSet.of(not))));
        }
        Ports ports = match.ports();
        boolean implied = !ports.names().isEmpty() && ports.ranges().isEmpty();
        if (!implied) {
            selector.ifPresent(positive -> end.addIpSetIds(named(IpSet.of(positive))));
        }
        Selector owners = selector.orElseGet(Selector::all);
        for (String name : ports.names()) {
            end.addNamedPortIpSetIds(named(IpSet.ofNamedPort(owners, protocol, name)));
        }
        for (String name : match.notPorts().names()) {
            end.addNotNamedPortIpSetIds(named(IpSet.ofNamedPort(owners, protocol, name)));
        }
        match.service().ifPresent(service -> {
            String id = named(IpSet.of(service));
            if (service.withPorts()) {
                end.addIpPortSetIds(id);
            } else {
                end.addIpSetIds(id);
            }
        });
        ports.ranges().forEach(range -> end.addPorts(range(range)));
        match.notPorts().ranges().forEach(range -> end.addNotPorts(range(range)));
        return end.build();
    }

    private String named(IpSet set) {
        sets.putIfAbsent(set.id(), set);
        return set.id();
    }

    private static PortRange range(dev.evenkeel.policy.internal.model.PortRange range) {
        return PortRange.newBuilder()
                .setFirst(range.first())
                .setLast(range.last())
                .build();
    }
}
