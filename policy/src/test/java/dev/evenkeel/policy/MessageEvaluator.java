package dev.evenkeel.policy;

import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.internal.model.Protocol;
import dev.evenkeel.policy.v1.Action;
import dev.evenkeel.policy.v1.IcmpType;
import dev.evenkeel.policy.v1.IpVersion;
import dev.evenkeel.policy.v1.Policy;
import dev.evenkeel.policy.v1.PolicyId;
import dev.evenkeel.policy.v1.PortRange;
import dev.evenkeel.policy.v1.Profile;
import dev.evenkeel.policy.v1.Rule;
import dev.evenkeel.policy.v1.RuleEnd;
import dev.evenkeel.policy.v1.TierInfo;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** Decides on packets from the messages that a host has received, as a data plane would. */
public final class MessageEvaluator {
    private static final Map<String, Cidr> PARSED = new ConcurrentHashMap<>();

    private final HostState state;

    public MessageEvaluator(HostState state) {
        this.state = state;
    }

    /** The first packet of a connection; type and code are those of a message of ICMP. */
    public record Packet(
            String source, int sourcePort, String destination, int port, String protocol, int type, int code) {
        public Packet(String source, int sourcePort, String destination, int port, String protocol) {
            this(source, sourcePort, destination, port, protocol, -1, -1);
        }

        /** Returns whether the packet is such a message. */
        boolean is(IcmpType icmp) {
            return icmp.getType() == type && (!icmp.hasCode() || icmp.getCode() == code);
        }
    }

    private record End(String name, boolean pod, List<String> addresses, List<TierInfo> tiers, List<String> profiles) {
        boolean has(String address) {
            return addresses.stream().anyMatch(net -> contains(net, address));
        }
    }

    /** Returns whether all endpoints of the host that send or receive the packet allow it. */
    public boolean allows(Packet packet) {
        List<End> sources = ends().filter(end -> end.has(packet.source())).toList();
        List<End> destinations =
                ends().filter(end -> end.has(packet.destination())).toList();
        return sources.stream()
                        .allMatch(end -> destinations.contains(end)
                                || decide(
                                        end,
                                        TierInfo::getEgressPoliciesList,
                                        Policy::getOutboundRulesList,
                                        Profile::getOutboundRulesList,
                                        packet))
                && destinations.stream()
                        .allMatch(end -> sources.contains(end)
                                || (end.pod() && isOwnNode(packet.source()))
                                || decide(
                                        end,
                                        TierInfo::getIngressPoliciesList,
                                        Policy::getInboundRulesList,
                                        Profile::getInboundRulesList,
                                        packet));
    }

    private boolean isOwnNode(String address) {
        return state.hosts().values().stream()
                .flatMap(host -> host.getAddressesList().stream())
                .anyMatch(address::equals);
    }

    private Stream<End> ends() {
        return Stream.concat(
                state.pods().entrySet().stream()
                        .map(pod -> new End(
                                pod.getKey(),
                                true,
                                Stream.concat(
                                                pod.getValue().getIpv4NetsList().stream(),
                                                pod.getValue().getIpv6NetsList().stream())
                                        .toList(),
                                pod.getValue().getTiersList(),
                                pod.getValue().getProfileNamesList())),
                state.interfaces().entrySet().stream()
                        .map(one -> new End(
                                one.getKey(),
                                false,
                                Stream.concat(
                                                one.getValue().getExpectedIpv4NetsList().stream(),
                                                one.getValue().getExpectedIpv6NetsList().stream())
                                        .toList(),
                                one.getValue().getTiersList(),
                                one.getValue().getProfileNamesList())));
    }

    private boolean decide(
            End end,
            Function<TierInfo, List<PolicyId>> policiesOf,
            Function<Policy, List<Rule>> rulesOf,
            Function<Profile, List<Rule>> profileRulesOf,
            Packet packet) {
        for (TierInfo tier : end.tiers()) {
            List<PolicyId> policies = policiesOf.apply(tier);
            if (policies.isEmpty()) {
                continue;
            }
            Action action = policies.stream()
                    .map(id -> state.policies().get(HostState.name(id)))
                    .flatMap(policy -> rulesOf.apply(policy).stream())
                    .filter(rule -> rule.getAction() != Action.ACTION_LOG && matches(rule, packet))
                    .map(Rule::getAction)
                    .findFirst()
                    .orElse(tier.getDefaultAction());
            if (action != Action.ACTION_PASS) {
                return action == Action.ACTION_ALLOW;
            }
        }
        return end.profiles().stream()
                .flatMap(name -> profileRulesOf.apply(state.profiles().get(name)).stream())
                .filter(rule -> rule.getAction() != Action.ACTION_LOG && matches(rule, packet))
                .findFirst()
                .filter(rule -> rule.getAction() == Action.ACTION_ALLOW)
                .isPresent();
    }

    private boolean matches(Rule rule, Packet packet) {
        Protocol protocol = Protocol.find(packet.protocol()).orElseThrow();
        boolean ipv4 = packet.source().indexOf(':') < 0;
        return (rule.getIpVersion() == IpVersion.IP_VERSION_UNSPECIFIED
                        || (rule.getIpVersion() == IpVersion.IP_VERSION_4) == ipv4)
                && (!rule.hasProtocol() || rule.getProtocol() == protocol.number())
                && (!rule.hasNotProtocol() || rule.getNotProtocol() != protocol.number())
                && (!rule.hasIcmp() || packet.is(rule.getIcmp()))
                && !(rule.hasNotIcmp() && packet.is(rule.getNotIcmp()))
                && matches(rule.getSource(), packet.source(), packet.sourcePort(), protocol)
                && matches(rule.getDestination(), packet.destination(), packet.port(), protocol);
    }

    private boolean matches(RuleEnd end, String address, int port, Protocol protocol) {
        String pair = parse(address).addressText() + "," + protocol + ":" + port;
        boolean anyPort =
                end.getPortsList().isEmpty() && end.getNamedPortIpSetIdsList().isEmpty();
        return (end.getNetsList().isEmpty() || end.getNetsList().stream().anyMatch(net -> contains(net, address)))
                && end.getNotNetsList().stream().noneMatch(net -> contains(net, address))
                && end.getIpSetIdsList().stream().allMatch(set -> isIn(set, address))
                && end.getNotIpSetIdsList().stream().noneMatch(set -> isIn(set, address))
                && (anyPort
                        || isOneOf(end.getPortsList(), port, protocol)
                        || end.getNamedPortIpSetIdsList().stream().anyMatch(set -> has(set, pair)))
                && !isOneOf(end.getNotPortsList(), port, protocol)
                && end.getNotNamedPortIpSetIdsList().stream().noneMatch(set -> has(set, pair))
                && end.getIpPortSetIdsList().stream().allMatch(set -> has(set, pair));
    }

    private static boolean isOneOf(List<PortRange> ranges, int port, Protocol protocol) {
        return protocol.hasPorts()
                && ranges.stream().anyMatch(range -> range.getFirst() <= port && port <= range.getLast());
    }

    private boolean has(String set, String member) {
        return state.members().get(set).contains(member);
    }

    private boolean isIn(String set, String address) {
        return state.members().get(set).stream().anyMatch(net -> contains(net, address));
    }

    private static boolean contains(String net, String address) {
        return parse(net).contains(parse(address));
    }

    private static Cidr parse(String text) {
        return PARSED.computeIfAbsent(text, key -> key.indexOf('/') < 0 ? Cidr.address(key) : Cidr.parse(key));
    }
}
