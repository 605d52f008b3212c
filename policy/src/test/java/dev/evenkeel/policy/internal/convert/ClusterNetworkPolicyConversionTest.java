package dev.evenkeel.policy.internal.convert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.policy.ClusterNetworkPolicy;
import dev.evenkeel.policy.internal.model.Action;
import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.internal.model.Match;
import dev.evenkeel.policy.internal.model.Policy;
import dev.evenkeel.policy.internal.model.PortRange;
import dev.evenkeel.policy.internal.model.Ports;
import dev.evenkeel.policy.internal.model.Protocol;
import dev.evenkeel.policy.internal.model.Rule;
import dev.evenkeel.policy.internal.selector.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterNetworkPolicyConversionTest {
    private static final String PODS = "projectcalico.org/orchestrator == 'k8s'";

    private final List<String> problems = new ArrayList<>();

    private Policy convert(String spec) {
        ClusterNetworkPolicy policy = ModelCodec.convert(
                Manifests.parse("{apiVersion: policy.networking.k8s.io/v1beta1, kind: ClusterNetworkPolicy,"
                                + " metadata: {name: p}, spec: " + spec + "}")
                        .getFirst(),
                ClusterNetworkPolicy.class);
        return ClusterNetworkPolicyConversion.convert(policy, problems::add);
    }

    private Policy egress(String action, String peers, String protocols) {
        return convert("{tier: Admin, priority: 1, subject: {namespaces: {}}, egress: [{action: " + action + ", to: "
                + peers + ", protocols: " + protocols + "}]}");
    }

    @Test
    void aPolicyOfAllFields() {
        Policy policy = convert("""
                {tier: Baseline, priority: 7, subject: {pods: {namespaceSelector: {matchLabels: {a: "1"}}, podSelector: {}}},
                 ingress: [{name: front, action: Pass, from: [{namespaces: {}}]}],
                 egress: [{action: Deny, to: [{networks: [10.0.0.0/8, "fd00::/8"]}, {nodes: {matchLabels: {b: "2"}}}],
                           protocols: [{tcp: {destinationPort: {range: {start: 1, end: 2}}}}, {destinationNamedPort: http}]}]}
                """);
        assertThat(policy.tier()).isEqualTo("kube-baseline");
        assertThat(policy.order()).isEqualTo(7);
        assertThat(policy.selector()).isEqualTo(Selector.parse("pcns.a == '1' && " + PODS));
        assertThat(policy.ingress())
                .containsExactly(new Rule(
                        Action.PASS,
                        Optional.empty(),
                        Optional.empty(),
                        Match.of(Selector.parse("has(projectcalico.org/namespace) && " + PODS)),
                        Match.ANY,
                        "spec.ingress[0] \"front\""));
        Match nets = Match.of(List.of(Cidr.parse("10.0.0.0/8"), Cidr.parse("fd00::/8")), List.of());
        Match nodes = Match.of(Selector.parse("has(projectcalico.org/node) && pcno.b == '2'"));
        Ports range = new Ports(List.of(), List.of(new PortRange(1, 2)));
        Ports http = new Ports(List.of("http"), List.of());
        assertThat(policy.egress())
                .extracting(Rule::action, Rule::protocol, Rule::source, Rule::destination)
                .containsExactly(
                        deny(Optional.of(Protocol.TCP), nets.withPorts(range)),
                        deny(Optional.of(Protocol.TCP), nodes.withPorts(range)),
                        deny(Optional.empty(), nets.withPorts(http)),
                        deny(Optional.empty(), nodes.withPorts(http)));
        assertThat(problems).isEmpty();
    }

    private static org.assertj.core.groups.Tuple deny(Optional<Protocol> protocol, Match destination) {
        return org.assertj.core.api.Assertions.tuple(Action.DENY, protocol, Match.ANY, destination);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{}]",
                "[{fromTheFuture: {}}]",
                "[{namespaces: {}, nodes: {}}]",
                "[{pods: {namespaceSelector: {}}}]",
                "[{namespaces: {matchExpressions: [{key: a, operator: Gt, values: ['1']}]}}]",
                "[{networks: []}]",
                "[{networks: [10.0.0.0]}]",
                "[{networks: [10.0.0.0/8, bad/8]}]",
                "[{domainNames: [example.com]}]",
                "[]",
            })
    void aPeerThatIsNotUnderstoodFailsClosed(String peers) {
        for (String protocols : List.of("[]", "[{udp: {destinationPort: {number: 53}}}]")) {
            assertThat(egress("Accept", peers, protocols).egress()).isEmpty();
            assertThat(egress("Deny", peers, protocols).egress())
                    .containsExactly(Rule.of(Action.DENY, "spec.egress[0]"));
            assertThat(egress("Pass", peers, protocols).egress())
                    .containsExactly(Rule.of(Action.DENY, "spec.egress[0]"));
        }
        assertThat(problems)
                .hasSize(6)
                .allMatch(problem -> problem.startsWith("ClusterNetworkPolicy p: spec.egress[0].to")
                        && problem.endsWith("it fails closed: Accept matches nothing, Deny and Pass deny everything"));
    }

    @Test
    void anAcceptRuleKeepsThePeersThatAreUnderstood() {
        assertThat(egress("Accept", "[{domainNames: [example.com]}, {networks: [10.0.0.0/8]}]", "[]")
                        .egress())
                .extracting(rule -> rule.destination().nets())
                .containsExactly(List.of(Cidr.parse("10.0.0.0/8")));
    }

    @Test
    void sourcesAreNamespacesOrPods() {
        for (String peer : List.of("{networks: [10.0.0.0/8]}", "{nodes: {}}")) {
            assertThat(convert(
                                    "{tier: Admin, priority: 1, subject: {namespaces: {}}, ingress: [{action: Accept, from: ["
                                            + peer + "]}]}")
                            .ingress())
                    .isEmpty();
        }
        assertThat(problems).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{}]",
                "[{fromTheFuture: {}}]",
                "[{tcp: {}}]",
                "[{tcp: {sourcePort: {number: 1}}}]",
                "[{tcp: {destinationPort: {}}}]",
                "[{tcp: {destinationPort: {number: 0}}}]",
                "[{tcp: {destinationPort: {number: 1, range: {start: 1, end: 2}}}}]",
                "[{tcp: {destinationPort: {range: {start: 2, end: 1}}}}]",
                "[{tcp: {destinationPort: {number: 1}}, udp: {destinationPort: {number: 1}}}]",
                "[{destinationNamedPort: ''}]",
            })
    void aProtocolThatIsNotUnderstoodFailsClosed(String protocols) {
        assertThat(egress("Accept", "[{namespaces: {}}]", protocols).egress()).isEmpty();
        assertThat(egress("Deny", "[{namespaces: {}}]", protocols).egress())
                .containsExactly(Rule.of(Action.DENY, "spec.egress[0]"));
        assertThat(egress("Pass", "[{namespaces: {}}]", protocols).egress())
                .containsExactly(Rule.of(Action.DENY, "spec.egress[0]"));
        assertThat(problems).hasSize(3).allMatch(problem -> problem.contains("spec.egress[0].protocols[0]: "));
    }

    @Test
    void anUnknownActionDenies() {
        assertThat(egress("Audit", "[{networks: [10.0.0.0/8]}]", "[]").egress())
                .containsExactly(Rule.of(Action.DENY, "spec.egress[0]"));
        assertThat(problems)
                .containsExactly(
                        "ClusterNetworkPolicy p: spec.egress[0].action: \"Audit\" must be Accept, Deny or Pass;"
                                + " the rule denies everything");
    }

    @Test
    void aPolicyOfAnUnknownTierAcceptsNothing() {
        Policy policy = convert("""
                {tier: Platform, priority: 1, subject: {namespaces: {}}, ingress: [
                  {action: Accept, from: [{namespaces: {}}]}, {action: Deny, from: [{namespaces: {}}]}]}
                """);
        assertThat(policy.tier()).isEqualTo("kube-admin");
        assertThat(policy.ingress()).extracting(Rule::action).containsExactly(Action.DENY);
        assertThat(problems).hasSize(1);
    }

    @Test
    void anInvalidSelectorOfTheSubjectIsAllPods() {
        Policy policy = convert("""
                {tier: Admin, priority: 1, subject: {namespaces: {matchExpressions: [{key: a, operator: Near}]}},
                 ingress: [{action: Accept, from: [{namespaces: {}}]}, {action: Deny, from: [{namespaces: {}}]}]}
                """);
        assertThat(policy.selector()).isEqualTo(Selector.parse(PODS));
        assertThat(policy.ingress()).extracting(Rule::action).containsExactly(Action.DENY);
        assertThat(problems).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "{nodes: {}}"})
    void aSubjectThatIsNotPodsIsNoPods(String subject) {
        Policy policy = convert("{tier: Admin, priority: 1, subject: " + subject + "}");
        assertThat(policy.selector().matches(Map.of("projectcalico.org/orchestrator", "k8s")))
                .isFalse();
        assertThat(problems).hasSize(1);
    }

    @Test
    void missingPriorityIsLast() {
        assertThat(convert("{tier: Admin, subject: {namespaces: {}}}").order()).isInfinite();
        assertThat(problems).hasSize(1);
    }
}
