package dev.evenkeel.policy.internal.convert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.policy.internal.model.Action;
import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.internal.model.Direction;
import dev.evenkeel.policy.internal.model.Match;
import dev.evenkeel.policy.internal.model.Policy;
import dev.evenkeel.policy.internal.model.PortRange;
import dev.evenkeel.policy.internal.model.Ports;
import dev.evenkeel.policy.internal.model.Protocol;
import dev.evenkeel.policy.internal.model.Rule;
import dev.evenkeel.policy.internal.selector.Selector;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkPolicyConversionTest {
    private static final String PODS = "projectcalico.org/orchestrator == 'k8s'";
    private static final String OWN = "projectcalico.org/namespace == 'default'";

    private final List<String> problems = new ArrayList<>();

    private Policy convert(String spec) {
        NetworkPolicy policy = ModelCodec.convert(
                Manifests.parse("{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy,"
                                + " metadata: {namespace: default, name: p}, spec: " + spec + "}")
                        .getFirst(),
                NetworkPolicy.class);
        return NetworkPolicyConversion.convert(policy, problems::add);
    }

    private static Match selecting(String selector) {
        return Match.of(Selector.parse(selector));
    }

    private static Match ports(Ports ports) {
        return Match.ANY.withPorts(ports);
    }

    private static Rule ingress(Optional<Protocol> protocol, Match source, Ports ports, String origin) {
        return new Rule(Action.ALLOW, protocol, Optional.empty(), source, ports(ports), origin);
    }

    @Test
    void workedExample() {
        Policy policy = convert("""
                {podSelector: {matchLabels: {app: web}}, policyTypes: [Ingress], ingress: [{
                  from: [{podSelector: {matchLabels: {role: front}}},
                         {ipBlock: {cidr: 10.0.0.0/8, except: [10.9.0.0/16]}}],
                  ports: [{port: 443}, {port: 80}, {port: http}, {port: 81, protocol: TCP}, {port: 53, protocol: UDP}]}]}
                """);
        Match front = selecting(OWN + " && (" + PODS + " && role == 'front')");
        Match block = Match.of(List.of(Cidr.parse("10.0.0.0/8")), List.of(Cidr.parse("10.9.0.0/16")));
        Ports tcp = new Ports(List.of("http"), List.of(new PortRange(80, 81), PortRange.of(443)));
        Ports udp = new Ports(List.of(), List.of(PortRange.of(53)));
        assertThat(policy.selector()).isEqualTo(Selector.parse("(" + PODS + " && app == 'web') && " + OWN));
        assertThat(policy.types()).containsExactly(Direction.INGRESS);
        assertThat(policy.tier()).isEqualTo("default");
        assertThat(policy.order()).isEqualTo(1_000);
        assertThat(policy.ingress())
                .containsExactly(
                        ingress(Optional.of(Protocol.TCP), front, tcp, "spec.ingress[0].from[0]"),
                        ingress(Optional.of(Protocol.TCP), block, tcp, "spec.ingress[0].from[1]"),
                        ingress(Optional.of(Protocol.UDP), front, udp, "spec.ingress[0].from[0]"),
                        ingress(Optional.of(Protocol.UDP), block, udp, "spec.ingress[0].from[1]"));
        assertThat(problems).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{podSelector: {}} ; projectcalico.org/namespace == 'default' && (projectcalico.org/orchestrator == 'k8s')",
                "{podSelector: {matchLabels: {b: '2', a: '1'}, matchExpressions: [{key: d, operator: In, values: [y, x]},"
                        + " {key: c, operator: NotIn, values: [z]}, {key: e, operator: Exists},"
                        + " {key: f, operator: DoesNotExist}]}} ; projectcalico.org/namespace == 'default' &&"
                        + " (projectcalico.org/orchestrator == 'k8s' && a == '1' && b == '2' && d in {'x', 'y'} &&"
                        + " c not in {'z'} && has(e) && !has(f))",
                "{namespaceSelector: {}} ; has(projectcalico.org/namespace) && projectcalico.org/orchestrator == 'k8s'",
                "{namespaceSelector: {matchLabels: {a: '1'}}} ; pcns.a == '1' && projectcalico.org/orchestrator == 'k8s'",
                "{namespaceSelector: {matchLabels: {a: '1'}}, podSelector: {matchLabels: {b: '2'}}} ; pcns.a == '1' &&"
                        + " (projectcalico.org/orchestrator == 'k8s' && b == '2')",
            })
    void selectorsOfPeers(String peer, String selector) {
        assertThat(convert("{podSelector: {}, ingress: [{from: [" + peer + "]}]}")
                        .ingress())
                .extracting(rule -> rule.source().selector())
                .containsExactly(Optional.of(Selector.parse(selector)));
        assertThat(convert("{podSelector: {}, egress: [{to: [" + peer + "]}]}").egress())
                .extracting(rule -> rule.destination().selector())
                .containsExactly(Optional.of(Selector.parse(selector)));
    }

    @Test
    void aNamespaceSelectorThatAbsentLabelsFulfilWaitsForTheNamespace() {
        Policy policy = convert("""
                {podSelector: {}, ingress: [{from: [
                  {namespaceSelector: {matchExpressions: [{key: env, operator: NotIn, values: [prod]}]}}]}]}
                """);
        Selector selector = policy.ingress().getFirst().source().selector().orElseThrow();
        Map<String, String> pod =
                Map.of("projectcalico.org/namespace", "other", "projectcalico.org/orchestrator", "k8s");
        assertThat(selector.matches(pod)).isFalse();
        Map<String, String> known = new java.util.HashMap<>(pod);
        known.put("pcns.projectcalico.org/name", "other");
        assertThat(selector.matches(known)).isTrue();
        known.put("pcns.env", "prod");
        assertThat(selector.matches(known)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                // block of addresses
                "{ipBlock: {cidr: 10.0.0.0}} ; not a block of addresses",
                "{ipBlock: {cidr: 10.0.0.0/33}} ; not a block of addresses",
                "{ipBlock: {cidr: ''}} ; not a block of addresses",
                "{ipBlock: {}} ; not a block of addresses",
                "{ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16, 10.2.0/16, 10.3.0.0/16]}} ; \"10.2.0\" is not",
                "{ipBlock: {cidr: 10.0.0.0/8}, podSelector: {}} ; must have either",
                // nothing
                "{} ; must have either",
                // selectors
                "{podSelector: {matchExpressions: [{key: a, operator: Gt, values: ['1']}]}} ; must have no values",
                "{podSelector: {matchExpressions: [{key: a, operator: Equals}]}} ; must be In, NotIn, Exists or",
                "{podSelector: {matchExpressions: [{key: a, operator: NotIn, values: []}]}} ; at least one value",
                "{podSelector: {matchExpressions: [{key: a, operator: NotIn}]}} ; at least one value",
                "{podSelector: {matchExpressions: [{key: a, operator: Exists, values: [b]}]}} ; must have no values",
                "{podSelector: {matchLabels: {'a b': c}}} ; not a name of a label",
                "{namespaceSelector: {matchLabels: {'a) || all(': c}}} ; not a name of a label",
                "{podSelector: {matchLabels: {a: 'x\"''y'}}} ; quotes of both kinds",
            })
    void anInvalidPeerMatchesNothing(String peer, String problem) {
        Policy policy = convert("{podSelector: {}, ingress: [{from: [" + peer + "]}]}");
        assertThat(policy.ingress()).isEmpty();
        assertThat(policy.types()).containsExactly(Direction.INGRESS);
        assertThat(problems)
                .singleElement()
                .asString()
                .startsWith("NetworkPolicy default/p: spec.ingress[0].from[0]: ")
                .contains(problem)
                .endsWith("; the peer matches nothing");
    }

    @Test
    void anInvalidPeerLeavesTheOthers() {
        Policy policy = convert(
                "{podSelector: {}, egress: [{to: [{ipBlock: {cidr: bad}}, {ipBlock: {cidr: 10.0.0.0/8}}]}, {to: [{}]}]}");
        assertThat(policy.egress())
                .extracting(rule -> rule.destination().nets())
                .containsExactly(List.of(Cidr.parse("10.0.0.0/8")));
        assertThat(problems).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{port: 0} ; ports must be from 1 to 65535",
                "{port: 65536} ; ports must be from 1 to 65535",
                "{port: -1} ; ports must be from 1 to 65535",
                "{port: ''} ; must be a number or a name",
                "{port: 'a b'} ; must be a number or a name",
                "{port: '-'} ; must be a number or a name",
                "{port: 80, protocol: ICMP} ; must be TCP, UDP or SCTP",
                "{protocol: QUIC} ; must be TCP, UDP or SCTP",
                "{port: 80, endPort: 79} ; the first not after the last",
                "{port: 80, endPort: 65536} ; ports must be from 1 to 65535",
                "{port: http, endPort: 90} ; endPort must not be set with a named port",
                "{endPort: 90} ; endPort must not be set without port",
            })
    void anInvalidPortDropsItsRule(String port, String problem) {
        Policy policy =
                convert("{podSelector: {}, ingress: [{ports: [{port: 1}, " + port + "]}, {ports: [{port: 2}]}]}");
        assertThat(policy.ingress())
                .extracting(rule -> rule.destination().ports().ranges())
                .containsExactly(List.of(PortRange.of(2)));
        assertThat(problems)
                .singleElement()
                .asString()
                .startsWith("NetworkPolicy default/p: spec.ingress[0].ports[1]: ")
                .contains(problem)
                .endsWith("; the rule matches nothing");
    }

    @Test
    void anInvalidPodSelectorIsolatesTheNamespace() {
        Policy policy = convert("""
                {podSelector: {matchExpressions: [{key: a, operator: Near, values: [b]}]}, ingress: [{}], egress: [{}]}
                """);
        assertThat(policy.selector()).isEqualTo(Selector.parse(PODS + " && " + OWN));
        assertThat(policy.types()).containsExactlyInAnyOrder(Direction.values());
        assertThat(policy.ingress()).isEmpty();
        assertThat(policy.egress()).isEmpty();
        assertThat(problems).singleElement().asString().contains("spec.podSelector: ");
    }

    @Test
    void missingTypesWithEgressRulesIsolateEgress() {
        assertThat(convert("{podSelector: {}, egress: [{to: [{podSelector: {}}]}]}")
                        .types())
                .containsExactlyInAnyOrder(Direction.values());
        assertThat(convert("{podSelector: {}, egress: []}").types()).containsExactly(Direction.INGRESS);
        assertThat(convert("{podSelector: {}, policyTypes: []}").types()).containsExactly(Direction.INGRESS);
    }

    @Test
    void anUnknownTypeIsolatesBothDirections() {
        assertThat(convert("{podSelector: {}, policyTypes: [Outgress]}").types())
                .containsExactlyInAnyOrder(Direction.values());
        assertThat(problems)
                .containsExactly("NetworkPolicy default/p: spec.policyTypes: \"Outgress\" must be Ingress or Egress;"
                        + " the policy applies to both directions");
    }

    @Test
    void aMissingSpecIsolatesTheNamespace() {
        Policy policy = convert("null");
        assertThat(policy.selector()).isEqualTo(Selector.parse(PODS + " && " + OWN));
        assertThat(policy.types()).containsExactly(Direction.INGRESS);
        assertThat(policy.ingress()).isEmpty();
    }
}
