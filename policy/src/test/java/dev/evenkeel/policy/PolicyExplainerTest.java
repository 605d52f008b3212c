package dev.evenkeel.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Manifests;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PolicyExplainerTest {
    private final World world = new World();

    PolicyExplainerTest() {
        world.namespace("shop", Map.of());
        world.node("n1", Map.of(), "172.18.0.2");
        world.pod("shop", "front", "n1", Map.of("app", "front"), List.of("10.0.0.1", "fd00::1"), List.of());
        world.pod("shop", "db", "n1", Map.of("app", "db"), List.of("fd00::2", "10.0.0.2"), List.of());
        world.pod("shop", "old", "n1", Map.of("app", "old"), List.of("fd00::3"), List.of());
    }

    private PolicyExplainer explainer(String... manifests) {
        for (String manifest : manifests) {
            Manifests.parse(manifest).forEach(world::add);
        }
        return PolicyExplainer.of(world.objects());
    }

    @Test
    void namesTheRuleThatAllows() {
        PolicyExplainer explainer = explainer("""
                apiVersion: networking.k8s.io/v1
                kind: NetworkPolicy
                metadata: {namespace: shop, name: db}
                spec:
                  podSelector: {matchLabels: {app: db}}
                  ingress:
                  - from: [{podSelector: {matchLabels: {app: admin}}}, {podSelector: {matchLabels: {app: front}}}]
                    ports: [{port: 5432}]
                """);
        assertThat(explainer.explain("shop/front", "shop/db", "TCP", 5432)).hasToString("""
                egress of shop/front: no policy decides; allowed by profile kns.shop: the default
                ingress of shop/db: allowed by NetworkPolicy shop/db, spec.ingress[0].from[1], in tier default
                allowed""");
        assertThat(explainer.explain("shop/front", "shop/db", "TCP", 5433)).hasToString("""
                egress of shop/front: no policy decides; allowed by profile kns.shop: the default
                ingress of shop/db: no rule matches in tier default of NetworkPolicy shop/db
                denied""");
        assertThat(explainer.explain("172.18.0.2", "shop/db", "TCP", 1)).hasToString("""
                ingress of shop/db: the source is the node of the pod
                allowed""");
        assertThat(explainer.explain("192.0.2.1", "192.0.2.2", "TCP", 1)).hasToString("""
                neither end is an endpoint that policies apply to
                allowed""");
    }

    @Test
    void theFamilyIsOneThatBothEndsHave() {
        PolicyExplainer explainer = explainer("""
                apiVersion: networking.k8s.io/v1
                kind: NetworkPolicy
                metadata: {namespace: shop, name: p}
                spec:
                  podSelector: {}
                  ingress: [{from: [{ipBlock: {cidr: 10.0.0.0/8}}]}]
                """);
        assertThat(explainer.explain("shop/front", "shop/db", "TCP", 1).allowed())
                .isTrue();
        assertThat(explainer.explain("shop/front", "fd00::2", "TCP", 1).allowed())
                .isFalse();
        assertThat(explainer.explain("shop/front", "shop/old", "TCP", 1).allowed())
                .isFalse();
        assertThatThrownBy(() -> explainer.explain("10.0.0.9", "shop/old", "TCP", 1))
                .hasMessage("from and to: must have addresses of the same family: [10.0.0.9/32] and [fd00::3/128]");
    }

    @Test
    void argumentsAreChecked() {
        PolicyExplainer explainer = explainer();
        assertThatThrownBy(() -> explainer.explain("shop/back", "shop/db", "TCP", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "from: \"shop/back\" must be an address, the name of a host endpoint, or a pod");
        assertThatThrownBy(() -> explainer.explain("shop/db", "10.0.0.0/8", "TCP", 1))
                .hasMessageStartingWith("to: \"10.0.0.0/8\" must be an address");
        assertThatThrownBy(() -> explainer.explain("shop/db", "shop/front", "QUIC", 1))
                .hasMessage("protocol: \"QUIC\" must be TCP, UDP, SCTP, ICMP, ICMPv6 or a number from 0 to 255");
        assertThatThrownBy(() -> explainer.explain("shop/db", "shop/front", "TCP", 0))
                .hasMessage("port: must be from 1 to 65535: 0");
        assertThatThrownBy(() -> explainer.explain("shop/db", "shop/front", "ICMP", 8))
                .hasMessage("port: must be 0, as icmp has no ports: 8");
    }

    @Test
    void objectsOfOtherKindsDoNotMatter() {
        PolicyExplainer explainer = explainer("{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}");
        assertThat(explainer.problems()).isEmpty();
        assertThat(explainer.explain("shop/front", "shop/db", "TCP", 1).allowed())
                .isTrue();
    }

    @Test
    void problemsNameTheObjectTheFieldAndTheConsequence() {
        assertThat(explainer("""
                        apiVersion: networking.k8s.io/v1
                        kind: NetworkPolicy
                        metadata: {namespace: shop, name: p}
                        spec: {podSelector: {}, ingress: [{from: [{ipBlock: {cidr: 10.0.0.0/8}}, {ipBlock: {cidr: all}}]}]}
                        """).problems())
                .containsExactly(
                        "NetworkPolicy shop/p: spec.ingress[0].from[1]: \"all\" is not a block of addresses, such"
                                + " as \"10.0.0.0/8\" or \"fd00::/8\"; the peer matches nothing");
    }
}
