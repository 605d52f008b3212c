package dev.evenkeel.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Manifests;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tiers, their policies, network sets and host endpoints, by their verdicts. */
class TieredPolicyTest {
    private final World world = new World();
    private final List<HasMetadata> objects = new ArrayList<>();

    TieredPolicyTest() {
        world.namespace("x", Map.of("team", "red"));
        world.namespace("y", Map.of("team", "blue"));
        world.node("n1", Map.of(), "172.18.0.2");
        world.node("n2", Map.of(), "172.18.0.3");
        world.pod("x", "a", "n1", Map.of("pod", "a"), List.of("10.0.1.1"), List.of("http=80/TCP"));
        world.pod("x", "b", "n1", Map.of("pod", "b"), List.of("10.0.1.2"), List.of("http=81/TCP"));
        world.pod("y", "a", "n2", Map.of("pod", "a"), List.of("10.0.2.1"), List.of());
    }

    private void tier(String name, String spec) {
        add("Tier", "", name, spec);
    }

    private void policy(String name, String spec) {
        add("ClusterTieredPolicy", "", name, spec);
    }

    private void add(String kind, String namespace, String name, String spec) {
        String metadata = (namespace.isEmpty() ? "" : "namespace: " + namespace + ", ") + "name: " + name;
        objects.addAll(Manifests.parse("{apiVersion: policy.evenkeel.dev/v1, kind: " + kind + ", metadata: {" + metadata
                + "}, spec: " + spec + "}"));
    }

    private PolicyExplainer explainer() {
        List<HasMetadata> all = new ArrayList<>(world.objects());
        all.addAll(objects);
        return PolicyExplainer.of(all);
    }

    private boolean allows(String from, String to, int port) {
        return explainer().explain(from, to, "TCP", port).allowed();
    }

    @Test
    void tiersAreEvaluatedInTheirOrder() {
        tier("second", "{order: 20}");
        tier("first", "{order: 10}");
        policy("a", "{tier: second, types: [Ingress], ingress: [{action: Allow}]}");
        policy("b", "{tier: first, selector: pod == 'a', types: [Ingress], ingress: [{action: Deny}]}");
        assertThat(allows("y/a", "x/a", 80)).isFalse();
        assertThat(allows("y/a", "x/b", 80)).isTrue();
    }

    @Test
    void tiersWithTheSameOrderAreSortedByName() {
        tier("b", "{order: 10}");
        tier("a", "{order: 10}");
        policy("p", "{tier: b, types: [Ingress], ingress: [{action: Deny}]}");
        policy("q", "{tier: a, types: [Ingress], ingress: [{action: Allow}]}");
        assertThat(allows("y/a", "x/a", 80)).isTrue();
    }

    @Test
    void aTierWithoutAnOrderIsLast() {
        tier("a", "{}");
        tier("b", "{order: 99000000}");
        policy("p", "{tier: a, types: [Ingress], ingress: [{action: Deny}]}");
        policy("q", "{tier: b, types: [Ingress], ingress: [{action: Allow}]}");
        assertThat(allows("y/a", "x/a", 80)).isTrue();
    }

    @Test
    void policiesOfATierAreEvaluatedInTheirOrder() {
        policy("a", "{order: 2, types: [Ingress], ingress: [{action: Deny}]}");
        policy("b", "{order: 1, types: [Ingress], ingress: [{action: Allow, destination: {ports: [80]}}]}");
        policy("c", "{types: [Ingress], ingress: [{action: Allow}]}");
        assertThat(allows("y/a", "x/a", 80)).isTrue();
        assertThat(allows("y/a", "x/a", 81)).isFalse();
    }

    @Test
    void policiesWithTheSameOrderAreSortedByName() {
        policy("b", "{order: 1, types: [Ingress], ingress: [{action: Allow}]}");
        policy("a", "{order: 1, types: [Ingress], ingress: [{action: Deny}]}");
        assertThat(allows("y/a", "x/a", 80)).isFalse();
    }

    @Test
    void theDefaultActionOfATierDeniesOrPasses() {
        tier("strict", "{order: 1}");
        tier("open", "{order: 2, defaultAction: Pass}");
        policy("a", "{tier: strict, selector: pod == 'a', types: [Ingress]}");
        policy("b", "{tier: open, types: [Ingress]}");
        assertThat(allows("y/a", "x/a", 80)).isFalse();
        assertThat(allows("y/a", "x/b", 80)).isTrue();
    }

    @Test
    void aTierWithoutAPolicyForTheDirectionDoesNotDecide() {
        tier("strict", "{order: 1}");
        policy("a", "{tier: strict, selector: pod == 'a', types: [Ingress]}");
        assertThat(allows("x/a", "y/a", 80)).isFalse();
        assertThat(allows("x/a", "x/b", 80)).isTrue();
    }

    @Test
    void aPolicyOfAMissingTierDeniesAfterAllOthers() {
        policy(
                "a",
                "{tier: absent, selector: pod == 'a', types: [Ingress], ingress: [{action: Allow, source: {nets:"
                        + " [10.0.1.2/32]}}]}");
        assertThat(allows("x/b", "x/a", 80)).isTrue();
        assertThat(allows("y/a", "x/a", 80)).isFalse();
        assertThat(explainer().problems()).singleElement().asString().startsWith("Tier absent: does not exist");
        policy("b", "{selector: pod == 'a', types: [Ingress], ingress: [{action: Allow}]}");
        assertThat(allows("y/a", "x/a", 80)).isTrue();
    }

    @Test
    void theBuiltInTiersCannotBeChanged() {
        tier("default", "{order: 1, defaultAction: Pass}");
        policy("a", "{types: [Ingress]}");
        assertThat(allows("y/a", "x/a", 80)).isFalse();
        assertThat(explainer().problems()).singleElement().asString().contains("cannot be changed");
    }

    @Test
    void passContinuesWithTheNextTierAndLogWithTheNextRule() {
        tier("first", "{order: 1}");
        policy(
                "a",
                "{tier: first, types: [Ingress], ingress: [{action: Log}, {name: pass, action: Pass, destination:"
                        + " {ports: [80]}}, {action: Allow}]}");
        policy("b", "{types: [Ingress], ingress: [{name: no, action: Deny}]}");
        Explanation explanation = explainer().explain("y/a", "x/a", "TCP", 80);
        assertThat(explanation).hasToString("""
                egress of y/a: no policy decides; allowed by profile kns.y: the default
                ingress of x/a: logged by ClusterTieredPolicy a, spec.ingress[0], in tier first
                ingress of x/a: passed by ClusterTieredPolicy a, spec.ingress[1] "pass", in tier first
                ingress of x/a: denied by ClusterTieredPolicy b, spec.ingress[0] "no", in tier default
                denied""");
        assertThat(allows("y/a", "x/a", 81)).isTrue();
    }

    @Test
    void emptyTypesAreBothDirections() {
        policy("a", "{selector: pod == 'b'}");
        assertThat(allows("x/a", "x/b", 80)).isFalse();
        assertThat(allows("x/b", "x/a", 80)).isFalse();
    }

    @Test
    void aPolicyOfANamespaceStaysInIt() {
        add(
                "TieredPolicy",
                "x",
                "p",
                "{selector: pod == 'a', types: [Ingress], ingress: [{action: Allow, source:"
                        + " {selector: pod == 'a'}}]}");
        add(
                "TieredPolicy",
                "x",
                "q",
                "{selector: pod == 'b', types: [Ingress], ingress: [{action: Allow, source:"
                        + " {selector: pod == 'a', namespaceSelector: all()}}]}");
        assertThat(allows("x/b", "y/a", 80)).isTrue();
        assertThat(allows("y/a", "x/a", 80)).isFalse();
        assertThat(allows("y/a", "x/b", 80)).isTrue();
        assertThat(allows("x/a", "x/b", 80)).isTrue();
    }

    @Test
    void selectorsOfNamespaces() {
        policy(
                "p",
                "{namespaceSelector: team == 'red', types: [Ingress], ingress: [{action: Allow, source:"
                        + " {namespaceSelector: team == 'red'}}, {action: Allow, source: {namespaceSelector: global(), selector:"
                        + " kind == 'office'}}]}");
        add("ClusterNetworkSet", "", "office", "{nets: [192.0.2.0/24]}");
        objects.getLast().getMetadata().setLabels(Map.of("kind", "office"));
        assertThat(allows("x/b", "x/a", 80)).isTrue();
        assertThat(allows("y/a", "x/a", 80)).isFalse();
        assertThat(allows("192.0.2.7", "x/a", 80)).isTrue();
        assertThat(allows("198.51.100.7", "x/a", 80)).isFalse();
        assertThat(allows("198.51.100.7", "y/a", 80)).isTrue();
    }

    @Test
    void conditionsOfARule() {
        policy(
                "p",
                "{selector: pod == 'a', types: [Ingress], ingress: [{action: Allow, protocol: TCP, source: {notSelector:"
                        + " pod == 'b', nets: [10.0.0.0/8], notNets: [10.0.2.0/24]}, destination: {ports: ['80:82', http],"
                        + " notPorts: [81]}}]}");
        world.pod("x", "c", "n1", Map.of(), List.of("10.0.1.3"), List.of());
        assertThat(allows("x/c", "x/a", 80)).isTrue();
        assertThat(allows("x/c", "x/a", 81)).isFalse();
        assertThat(allows("x/c", "x/a", 82)).isTrue();
        assertThat(allows("x/c", "x/a", 83)).isFalse();
        assertThat(allows("x/b", "x/a", 80)).isFalse();
        assertThat(allows("y/a", "x/a", 80)).isFalse();
        assertThat(allows("192.0.2.1", "x/a", 80)).isFalse();
        assertThat(explainer().explain("x/c", "x/a", "UDP", 80).allowed()).isFalse();
    }

    @Test
    void otherProtocols() {
        policy(
                "p",
                "{types: [Ingress], ingress: [{action: Allow, protocol: ICMP}, {action: Deny, notProtocol: '47'}, {action:"
                        + " Allow}]}");
        PolicyExplainer explainer = explainer();
        assertThat(explainer.explain("y/a", "x/a", "icmp", 0).allowed()).isTrue();
        assertThat(explainer.explain("y/a", "x/a", "47", 0).allowed()).isTrue();
        assertThat(explainer.explain("y/a", "x/a", "TCP", 80).allowed()).isFalse();
    }

    @Test
    void messagesOfIcmp() {
        policy(
                "p",
                "{selector: pod == 'a', types: [Ingress], ingress: [{action: Allow, protocol: ICMP, icmp: {type: 8},"
                        + " notIcmp: {type: 8, code: 1}}, {action: Allow, protocol: ICMPv6, icmp: {type: 128}}, {action:"
                        + " Allow, protocol: ICMP, icmp: {type: 3, code: 4}}]}");
        world.pod("y", "b", "n2", Map.of("pod", "a"), List.of("fd00::1"), List.of());
        PolicyExplainer explainer = explainer();
        assertThat(explainer.explain("y/a", "x/a", "ICMP", 0).allowed()).isTrue();
        assertThat(explainer.explainIcmp("y/a", "x/a", 8, 0).allowed()).isTrue();
        assertThat(explainer.explainIcmp("y/a", "x/a", 8, 1).allowed()).isFalse();
        assertThat(explainer.explainIcmp("y/a", "x/a", 3, 4).allowed()).isTrue();
        assertThat(explainer.explainIcmp("y/a", "x/a", 3, 1).allowed()).isFalse();
        assertThat(explainer.explainIcmp("fd00::9", "y/b", 128, 0).allowed()).isTrue();
        assertThat(explainer.explainIcmp("fd00::9", "y/b", 8, 0).allowed()).isFalse();
        assertThatThrownBy(() -> explainer.explainIcmp("y/a", "x/a", 256, 0))
                .hasMessage("type and code: must be from 0 to 255: 256 and 0");
    }

    @Test
    void invalidMessagesOfIcmpAllowNothing() {
        policy(
                "p",
                "{types: [Ingress], ingress: [{action: Allow, icmp: {type: 8}}, {action: Allow, protocol: TCP, notIcmp:"
                        + " {type: 8}}, {action: Allow, protocol: ICMP, icmp: {code: 0}}, {action: Allow, protocol: ICMP,"
                        + " icmp: {type: 8, code: 256}}]}");
        PolicyExplainer explainer = explainer();
        assertThat(explainer.explainIcmp("y/a", "x/a", 8, 0).allowed()).isFalse();
        assertThat(explainer.explain("y/a", "x/a", "TCP", 80).allowed()).isFalse();
        assertThat(explainer.problems())
                .containsExactly(
                        "ClusterTieredPolicy p: spec.ingress[0]: icmp: needs the protocol ICMP or ICMPv6; the rule matches"
                                + " nothing",
                        "ClusterTieredPolicy p: spec.ingress[1]: notIcmp: needs the protocol ICMP or ICMPv6; the rule"
                                + " matches nothing",
                        "ClusterTieredPolicy p: spec.ingress[2]: icmp: must have a type from 0 to 255; the rule matches"
                                + " nothing",
                        "ClusterTieredPolicy p: spec.ingress[3]: icmp: the code must be from 0 to 255: 256; the rule"
                                + " matches nothing");
    }

    @Test
    void aHostEndpointIsClosedUnlessAPolicyAllows() {
        add(
                "HostEndpoint",
                "",
                "n2-eth0",
                "{node: n2, expectedIPs: [172.18.0.3], ports: [{name: ssh, protocol: TCP, port:" + " 22}]}");
        objects.getLast().getMetadata().setLabels(Map.of("role", "host"));
        assertThat(allows("192.0.2.1", "n2-eth0", 22)).isFalse();
        policy(
                "p",
                "{selector: role == 'host', types: [Ingress], ingress: [{action: Allow, destination: {ports: [ssh]}}]}");
        assertThat(allows("192.0.2.1", "n2-eth0", 22)).isTrue();
        assertThat(allows("192.0.2.1", "172.18.0.3", 23)).isFalse();
    }

    private void slice(String name, String service, String address, String ports) {
        objects.addAll(Manifests.parse("{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {namespace: x,"
                + " name: " + name + ", labels: {kubernetes.io/service-name: " + service + "}}, addressType: IPv4,"
                + " endpoints: [{addresses: [" + address + "], conditions: {ready: false}}], ports: [" + ports + "]}"));
    }

    @Test
    void aDestinationIsAServiceWithItsPorts() {
        policy("p", "{types: [Egress], egress: [{action: Allow, destination: {services: {namespace: x, name: s}}}]}");
        slice("s-1", "s", "10.0.1.1", "{port: 80}");
        slice("s-2", "s", "10.0.1.2", "{port: 81, protocol: TCP}, {port: 53, protocol: UDP}");
        slice("t-1", "t", "10.0.2.1", "{port: 80}");
        assertThat(allows("y/a", "x/a", 80)).isTrue();
        assertThat(allows("y/a", "x/a", 81)).isFalse();
        assertThat(allows("y/a", "x/b", 81)).isTrue();
        assertThat(allows("x/b", "y/a", 80)).isFalse();
        assertThat(explainer().explain("y/a", "x/b", "UDP", 53).allowed()).isTrue();
        assertThat(explainer().explain("y/a", "x/b", "UDP", 81).allowed()).isFalse();
        assertThat(explainer().explain("y/a", "x/b", "ICMP", 0).allowed()).isFalse();
    }

    @Test
    void aSourceIsAServiceWithoutItsPorts() {
        add(
                "TieredPolicy",
                "x",
                "p",
                "{types: [Ingress], ingress: [{action: Allow, source: {services: {name: s}}, destination:"
                        + " {notPorts: [81]}}]}");
        slice("s-1", "s", "10.0.1.1", "{port: 443}");
        assertThat(allows("x/a", "x/b", 80)).isTrue();
        assertThat(allows("x/a", "x/b", 81)).isFalse();
        assertThat(allows("y/a", "x/b", 80)).isFalse();
    }

    @Test
    void aServiceWithoutANamespaceInAPolicyOfTheClusterAllowsNothing() {
        policy("p", "{types: [Ingress], ingress: [{action: Allow, source: {services: {name: s}}}]}");
        assertThat(allows("x/a", "x/b", 80)).isFalse();
        assertThat(explainer().problems())
                .containsExactly(
                        "ClusterTieredPolicy p: spec.ingress[0]: services: must have a name and, in a policy of"
                                + " the cluster, a namespace; the rule matches nothing");
    }

    @Test
    void anInvalidSelectorOfARuleDoesNotWidenIt() {
        policy(
                "p",
                "{selector: pod == 'a', types: [Ingress], ingress: [{action: Allow, source: {selector: 'pod = b'}}]}");
        policy(
                "q",
                "{selector: pod == 'b', types: [Ingress], ingress: [{action: Deny, source: {nets: [10.0.2]}}, {action:"
                        + " Allow}]}");
        assertThat(allows("y/a", "x/a", 80)).isFalse();
        assertThat(allows("x/a", "x/b", 80)).isFalse();
        assertThat(explainer().problems())
                .satisfiesExactly(
                        problem -> assertThat(problem)
                                .startsWith("ClusterTieredPolicy p: spec.ingress[0]: selector: expected an operator")
                                .endsWith("; the rule matches nothing"),
                        problem -> assertThat(problem)
                                .startsWith("ClusterTieredPolicy q: spec.ingress[0]: \"10.0.2\" is not a block")
                                .endsWith("; the rule denies everything"));
    }

    @Test
    void anInvalidSelectorOfAPolicyDoesNotDropIt() {
        add("TieredPolicy", "x", "p", "{selector: 'pod =', types: [Ingress], ingress: [{action: Allow}]}");
        assertThat(allows("y/a", "x/a", 80)).isFalse();
        assertThat(allows("x/a", "y/a", 80)).isTrue();
        assertThat(explainer().problems()).hasSize(1);
    }

    @Test
    void aPodOfAnUnknownNamespaceIsClosed() {
        world.pod("new", "a", "n2", Map.of(), List.of("10.0.9.1"), List.of());
        assertThat(allows("y/a", "new/a", 80)).isFalse();
        assertThat(allows("new/a", "y/a", 80)).isFalse();
        assertThat(explainer()
                        .explain("y/a", "new/a", "TCP", 80)
                        .decisions()
                        .getLast()
                        .reason())
                .isEqualTo("no policy decides; denied by profile kns.new: the profile does not exist");
    }
}
