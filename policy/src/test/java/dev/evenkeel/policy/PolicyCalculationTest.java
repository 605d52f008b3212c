package dev.evenkeel.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.graph.Cursor;
import dev.evenkeel.policy.v1.Action;
import dev.evenkeel.policy.v1.IpSetDeltaUpdate;
import dev.evenkeel.policy.v1.Policy;
import dev.evenkeel.policy.v1.Rule;
import dev.evenkeel.policy.v1.Update;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeSpecBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PolicyCalculationTest {
    private final World world = new World();
    private final PolicyCalculation calculation = PolicyCalculation.forAllHosts();
    private final Cursor<Update> cursor = calculation.open("n1");
    private final HostState state = new HostState();

    PolicyCalculationTest() {
        world.namespace("shop", Map.of("team", "red"));
        world.node("n1", Map.of("zone", "a"), "172.18.0.2", "fd18::2")
                .setSpec(new NodeSpecBuilder().withPodCIDRs("10.0.1.0/24").build());
        world.node("n2", Map.of(), "172.18.0.3");
        world.pod("shop", "db", "n1", Map.of("app", "db"), List.of("10.0.1.1", "fd00::1"), List.of("sql=5432/TCP"));
        world.pod("shop", "web", "n2", Map.of("app", "web"), List.of("10.0.2.1"), List.of());
    }

    private HostState put(String... manifests) {
        calculation.transact(tx -> {
            world.objects().forEach(tx::put);
            for (String manifest : manifests) {
                Manifests.parse(manifest).forEach(tx::put);
            }
            PolicyCalculation.kinds().forEach(tx::synced);
        });
        return state.apply(cursor.poll().messages());
    }

    private Rule rule(String rule) {
        put("""
                apiVersion: policy.evenkeel.dev/v1
                kind: TieredPolicy
                metadata: {namespace: shop, name: p}
                spec: {types: [Ingress], ingress: [%s]}
                """.formatted(rule));
        Policy policy = state.policies().get("TieredPolicy shop/p");
        assertThat(policy.getInboundRulesCount()).isEqualTo(1);
        assertThat(policy.getOutboundRulesList()).isEmpty();
        return policy.getInboundRules(0);
    }

    private String members(String id) {
        return id.substring(0, id.indexOf(':') + 1) + state.members().get(id);
    }

    private List<String> members(List<String> ids) {
        return ids.stream().map(this::members).toList();
    }

    @Test
    void aHostReceivesWhatItNeeds() {
        put();
        assertThat(state.isInSync()).isTrue();
        assertThat(state.pods()).containsOnlyKeys("shop/db");
        assertThat(state.pods().get("shop/db")).hasToString("""
                interface_name: "cali%s"
                ipv4_nets: "10.0.1.1/32"
                ipv6_nets: "fd00::1/128"
                profile_names: "kns.shop"
                profile_names: "ksa.shop.default"
                """.formatted(
                        state.pods().get("shop/db").getInterfaceName().substring(4)));
        assertThat(state.hosts()).containsOnlyKeys("n1");
        assertThat(state.hosts().get("n1").getAddressesList()).containsExactly("172.18.0.2", "fd18::2");
        assertThat(state.hosts().get("n1").getLabelsMap()).isEqualTo(Map.of("zone", "a"));
        assertThat(state.pools()).containsOnlyKeys("10.0.1.0/24");
        assertThat(state.namespaces()).containsOnlyKeys("shop");
        assertThat(state.namespaces().get("shop").getLabelsMap())
                .isEqualTo(Map.of("team", "red", "kubernetes.io/metadata.name", "shop"));
        assertThat(state.accounts()).isEmpty();
    }

    @Test
    void aMissingProfileDeniesUntilItExists() {
        put();
        Rule missing = state.profiles().get("ksa.shop.default").getInboundRules(0);
        assertThat(missing.getAction()).isEqualTo(Action.ACTION_DENY);
        calculation.transact(tx -> tx.put(new ServiceAccountBuilder()
                .withNewMetadata()
                .withNamespace("shop")
                .withName("default")
                .withLabels(Map.of("role", "a"))
                .endMetadata()
                .build()));
        state.apply(cursor.poll().messages());
        assertThat(state.profiles().get("ksa.shop.default").getInboundRulesList())
                .isEmpty();
        assertThat(state.accounts().get("shop/default").getLabelsMap()).isEqualTo(Map.of("role", "a"));
        calculation.transact(tx -> tx.remove(Namespace.class, ObjectKey.of("", "shop")));
        state.apply(cursor.poll().messages());
        assertThat(state.profiles().get("kns.shop").getInboundRules(0).getAction())
                .isEqualTo(Action.ACTION_DENY);
        assertThat(state.namespaces()).isEmpty();
    }

    @Test
    void aSelectorBecomesASet() {
        Rule rule = rule("{action: Allow, source: {selector: app == \"web\"}}");
        assertThat(members(rule.getSource().getIpSetIdsList())).containsExactly("s:[10.0.2.1/32]");
        assertThat(rule.hasDestination()).isFalse();
    }

    private static String slice(String name, String service, String addresses) {
        return """
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {namespace: shop, name: %s, labels: {kubernetes.io/service-name: %s}}
                addressType: IPv4
                endpoints: [{addresses: [%s]}]
                ports: [{port: 80}]
                """.formatted(name, service, addresses);
    }

    private static Update delta(String id, String added, String removed) {
        Update.Builder update = Update.newBuilder();
        IpSetDeltaUpdate.Builder delta = update.getIpSetDeltaUpdateBuilder().setId(id);
        if (!added.isEmpty()) {
            delta.addAddedMembers(added);
        }
        if (!removed.isEmpty()) {
            delta.addRemovedMembers(removed);
        }
        return update.build();
    }

    @Test
    void aServiceBecomesASetOfItsAddressesAndAsADestinationWithPorts() {
        put(slice("a", "s", "10.0.2.1, 10.0.2.2"), slice("b", "s", "10.0.2.2, 10.0.2.3"), slice("c", "t", "10.0.2.4"));
        Rule rule = rule("{action: Allow, source: {services: {name: s}}, destination: {services: {name: s}}}");
        assertThat(rule.getSource().getIpPortSetIdsList()).isEmpty();
        assertThat(members(rule.getSource().getIpSetIdsList()))
                .containsExactly("svcnoport:[10.0.2.1/32, 10.0.2.2/32, 10.0.2.3/32]");
        assertThat(rule.getDestination().getIpSetIdsList()).isEmpty();
        assertThat(members(rule.getDestination().getIpPortSetIdsList()))
                .containsExactly("svc:[10.0.2.1,tcp:80, 10.0.2.2,tcp:80, 10.0.2.3,tcp:80]");
    }

    @Test
    void membersOfASliceMoveWithItsLabelAndLeaveWithTheLastSlice() {
        put(slice("a", "s", "10.0.2.1"), slice("b", "s", "10.0.2.1, 10.0.2.2"), slice("c", "t", "10.0.2.3"));
        Rule rule = rule("{action: Deny, source: {services: {name: s}}, destination: {services: {name: t}}}");
        String addresses = rule.getSource().getIpSetIds(0);
        String ports = rule.getDestination().getIpPortSetIds(0);
        assertThat(change(slice("b", "t", "10.0.2.1, 10.0.2.2")))
                .containsExactlyInAnyOrder(
                        delta(addresses, "", "10.0.2.2/32"),
                        Update.newBuilder()
                                .setIpSetDeltaUpdate(IpSetDeltaUpdate.newBuilder()
                                        .setId(ports)
                                        .addAddedMembers("10.0.2.1,tcp:80")
                                        .addAddedMembers("10.0.2.2,tcp:80"))
                                .build());
        assertThat(change(slice("a", "other", "10.0.2.1"))).containsExactly(delta(addresses, "", "10.0.2.1/32"));
        calculation.transact(
                tx -> tx.remove(Manifests.parse(slice("c", "t", "10.0.2.3")).getFirst()));
        List<Update> last = cursor.poll().messages();
        state.apply(last);
        assertThat(last).containsExactly(delta(ports, "", "10.0.2.3,tcp:80"));
        calculation.verify();
    }

    private List<Update> change(String manifest) {
        calculation.transact(tx -> tx.put(Manifests.parse(manifest).getFirst()));
        List<Update> messages = cursor.poll().messages();
        state.apply(messages);
        return messages;
    }

    @Test
    void aPositiveAndANegatedSelectorBecomeOneSet() {
        Rule rule = rule("{action: Allow, source: {selector: has(app), notSelector: app == \"web\"}}");
        assertThat(members(rule.getSource().getIpSetIdsList())).containsExactly("s:[10.0.1.1/32, fd00::1/128]");
        assertThat(rule.getSource().getNotIpSetIdsList()).isEmpty();
    }

    @Test
    void aNegatedSelectorAloneIsANegatedSet() {
        Rule rule = rule("{action: Allow, source: {notSelector: app == \"web\"}}");
        assertThat(rule.getSource().getIpSetIdsList()).isEmpty();
        assertThat(members(rule.getSource().getNotIpSetIdsList())).containsExactly("s:[10.0.2.1/32]");
    }

    @Test
    void namedPortsStandForTheSelector() {
        Rule rule = rule("{action: Allow, protocol: TCP, destination: {selector: app == \"db\", ports: [sql]}}");
        assertThat(rule.getDestination().getIpSetIdsList()).isEmpty();
        assertThat(members(rule.getDestination().getNamedPortIpSetIdsList()))
                .containsExactly("n:[10.0.1.1,tcp:5432, fd00::1,tcp:5432]");
    }

    @Test
    void namedPortsAndNumbersKeepTheSelector() {
        Rule rule = rule(
                "{action: Allow, protocol: TCP, destination: {selector: app == \"db\", ports: [sql, 80], notPorts: [sql]}}");
        assertThat(members(rule.getDestination().getIpSetIdsList())).containsExactly("s:[10.0.1.1/32, fd00::1/128]");
        assertThat(rule.getDestination().getPortsList()).hasSize(1);
        assertThat(rule.getDestination().getNotNamedPortIpSetIdsList())
                .isEqualTo(rule.getDestination().getNamedPortIpSetIdsList());
    }

    @Test
    void namedPortsOfAnotherProtocolAreNotMembers() {
        Rule rule = rule("{action: Allow, protocol: UDP, destination: {ports: [sql]}}");
        assertThat(members(rule.getDestination().getNamedPortIpSetIdsList())).containsExactly("n:[]");
    }

    @Test
    void identifiersAreThoseOfTheContent() {
        Rule rule = rule("{action: Allow, protocol: TCP, source: {namespaceSelector: all(), selector: all()},"
                + " destination: {ports: [tcpport]}}");
        // the golden value of another implementation of this scheme
        assertThat(rule.getDestination().getNamedPortIpSetIdsList())
                .containsExactly("n:RMAIMXhhyW5sWWm_0o9euzK6TlyAbtjf6Ta9Jw");
    }

    @Test
    void anAddressOfTwoPodsIsAMemberUntilBothAreGone() {
        Rule rule = rule("{action: Allow, source: {selector: has(app)}}");
        String id = rule.getSource().getIpSetIds(0);
        Pod twin = world.pod("shop", "twin", "n2", Map.of("app", "web"), List.of("10.0.2.1"), List.of());
        int before = state.messages();
        calculation.transact(tx -> tx.put(twin));
        calculation.transact(tx -> tx.remove(Pod.class, ObjectKey.of("shop", "web")));
        state.apply(cursor.poll().messages());
        assertThat(state.messages()).isEqualTo(before);
        calculation.transact(tx -> tx.remove(twin));
        state.apply(cursor.poll().messages());
        assertThat(members(id)).isEqualTo("s:[10.0.1.1/32, fd00::1/128]");
    }

    @Test
    void theOrderOfAddressesIsNotAChange() {
        put();
        Pod turned = new World()
                .pod("shop", "db", "n1", Map.of("app", "db"), List.of("fd00::1", "10.0.1.1"), List.of("sql=5432/TCP"));
        calculation.transact(tx -> tx.put(turned));
        assertThat(cursor.poll().isEmpty()).isTrue();
    }

    @Test
    void aPodThatMovesToAnotherHost() {
        put();
        Cursor<Update> second = calculation.open("n2");
        HostState other = new HostState().apply(second.poll().messages());
        Pod moved = new World().pod("shop", "db", "n2", Map.of("app", "db"), List.of("10.0.2.9"), List.of());
        calculation.transact(tx -> tx.put(moved));
        assertThat(state.apply(cursor.poll().messages()).pods()).isEmpty();
        assertThat(state.profiles()).isEmpty();
        assertThat(other.apply(second.poll().messages()).pods()).containsOnlyKeys("shop/web", "shop/db");
    }

    @Test
    void onlyTheHostOfACalculationCanBeOpened() {
        assertThatThrownBy(() -> PolicyCalculation.forHost("n1").open("n2"))
                .hasMessage("host: \"n2\" is not \"n1\", the only one that is calculated");
    }

    @Test
    void otherKindsDoNotMatter() {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("shop")
                .withName("m")
                .endMetadata()
                .build();
        calculation.transact(tx -> tx.put(map).remove(map));
        assertThat(cursor.poll().isEmpty()).isTrue();
        assertThatThrownBy(() -> calculation.transact(tx -> tx.synced(ConfigMap.class)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "kind: ConfigMap is not one that policy is calculated from; those are [Cluster");
    }

    @Test
    void aTransactionThatFailsChangesNothing() {
        put();
        assertThatThrownBy(() -> calculation.transact(tx -> {
                    tx.put(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName("shop")
                            .addToLabels("team", "blue")
                            .endMetadata()
                            .build());
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(cursor.poll().isEmpty()).isTrue();
        calculation.verify();
    }

    @Test
    void whyNamesTheObjects() {
        rule("{action: Allow}");
        assertThat(calculation.why("shop/db")).contains("TieredPolicy shop/p").contains("Pod objects shop/db");
        assertThat(calculation.explain()).contains("IP sets of hosts");
    }

    @Test
    void tiersThatDoNotExistComeAfterTiersWithoutOrder() {
        put("""
                {apiVersion: policy.evenkeel.dev/v1, kind: Tier, metadata: {name: z}, spec: {defaultAction: Pass}}
                ---
                apiVersion: policy.evenkeel.dev/v1
                kind: TieredPolicy
                metadata: {namespace: shop, name: p}
                spec: {tier: a, types: [Ingress], ingress: [{action: Allow}]}
                ---
                apiVersion: policy.evenkeel.dev/v1
                kind: TieredPolicy
                metadata: {namespace: shop, name: q}
                spec: {tier: z, types: [Ingress], ingress: [{action: Allow}]}
                """);
        assertThat(state.pods().get("shop/db").getTiersList())
                .extracting(tier -> tier.getName() + " " + tier.getDefaultAction())
                .containsExactly("z ACTION_PASS", "a ACTION_DENY");
    }

    @Test
    void problemsNameTheField() {
        put("""
                apiVersion: policy.evenkeel.dev/v1
                kind: TieredPolicy
                metadata: {namespace: shop, name: p}
                spec: {tier: unknown, ingress: [{action: Allow, source: {nets: [here]}}]}
                """);
        assertThat(calculation.problems()).hasSize(2);
        assertThat(calculation.problems().getFirst()).startsWith("Tier unknown: does not exist");
        assertThat(calculation.problems().getLast()).startsWith("TieredPolicy shop/p: spec.ingress[0]: ");
        calculation.transact(tx -> tx.remove(TieredPolicy.class, ObjectKey.of("shop", "p")));
        assertThat(calculation.problems()).isEmpty();
    }
}
