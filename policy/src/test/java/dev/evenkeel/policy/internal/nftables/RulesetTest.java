package dev.evenkeel.policy.internal.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.graph.Cursor;
import dev.evenkeel.policy.PolicyCalculation;
import dev.evenkeel.policy.PolicyTransaction;
import dev.evenkeel.policy.RandomWorld;
import dev.evenkeel.policy.World;
import dev.evenkeel.policy.v1.Update;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The commands for changes: their cost follows the change. */
class RulesetTest {
    private final World world = new World();
    private final PolicyCalculation calculation = PolicyCalculation.forHost("n1");
    private final Cursor<Update> cursor = calculation.open("n1");
    private final Ruleset rules = new Ruleset("evenkeel-policy", 0x1000);

    RulesetTest() {
        world.node("n1", Map.of(), "172.18.0.2");
        world.namespace("shop", Map.of());
        world.add(manifest("{apiVersion: v1, kind: ServiceAccount, metadata: {namespace: shop, name: default}}"));
        pod("db", "n1", "10.0.0.1", "fd00::1");
        pod("front", "n2", "10.0.0.2");
        world.objects().forEach(object -> change(tx -> tx.put(object)));
        change(tx -> PolicyCalculation.kinds().forEach(tx::synced));
    }

    private HasMetadata pod(String name, String node, String... addresses) {
        return world.pod("shop", name, node, Map.of("app", name.replaceAll("\\d", "")), List.of(addresses), List.of());
    }

    /** Makes a change, and returns its commands without the words that all of them have. */
    private List<String> change(Consumer<? super PolicyTransaction> change) {
        calculation.transact(change);
        rules.apply(cursor.poll().messages());
        return rules.changes()
                .lines()
                .map(line -> line.replace(" inet evenkeel-policy", ""))
                .toList();
    }

    private static HasMetadata manifest(String text) {
        return Manifests.parse(text).getFirst();
    }

    private static HasMetadata policy(String name, String rules) {
        return manifest("""
                apiVersion: networking.k8s.io/v1
                kind: NetworkPolicy
                metadata: {namespace: shop, name: %s}
                spec: {podSelector: {matchLabels: {app: db}}, ingress: [%s]}
                """.formatted(name, rules));
    }

    private static String fromFront() {
        return "{from: [{podSelector: {matchLabels: {app: front}}}], ports: [{port: 5432}]}";
    }

    /** Replaces the names of sets, which are digests. */
    private static List<String> masked(List<String> lines) {
        return lines.stream()
                .map(line -> line.replaceAll("s-[A-Za-z0-9_-]{38}", "SET"))
                .toList();
    }

    @Test
    void aNetworkPolicyAddsItsSetsItsChainAndAJump() {
        assertThat(masked(change(tx -> tx.put(policy("db", fromFront())))))
                .containsExactly(
                        "add set set/SET/ipv4 { type ipv4_addr; }",
                        "add set set/SET/ipv6 { type ipv6_addr; }",
                        "add chain in/NetworkPolicy/shop/db",
                        "flush chain to/shop/db",
                        "add rule in/NetworkPolicy/shop/db meta l4proto 6 ip saddr @set/SET/ipv4 th dport 5432 accept comment"
                                + " \"spec.ingress[0].from[0]\"",
                        "add rule in/NetworkPolicy/shop/db meta l4proto 6 ip6 saddr @set/SET/ipv6 th dport 5432 accept comment"
                                + " \"spec.ingress[0].from[0]\"",
                        "add rule to/shop/db ip saddr 10.0.0.1 accept",
                        "add rule to/shop/db ip6 saddr fd00::1 accept",
                        "add rule to/shop/db jump in/NetworkPolicy/shop/db",
                        "add rule to/shop/db drop comment \"default of tier default\"",
                        "add element set/SET/ipv4 { 10.0.0.2 }");
    }

    @Test
    void aRemotePodMoreAddsAnElement() {
        change(tx -> tx.put(policy("db", fromFront())));
        HasMetadata front = pod("front2", "n2", "10.0.0.3", "fd00::3");
        assertThat(masked(change(tx -> tx.put(front))))
                .containsExactly("add element set/SET/ipv4 { 10.0.0.3 }", "add element set/SET/ipv6 { fd00::3 }");
        assertThat(change(tx -> tx.put(front))).isEmpty();
        assertThat(masked(change(tx -> tx.remove(front))))
                .containsExactly("delete element set/SET/ipv4 { 10.0.0.3 }", "delete element set/SET/ipv6 { fd00::3 }");
    }

    @Test
    void aLocalPodMoreAddsItsChainsAndItsAddresses() {
        HasMetadata cache = pod("cache", "n1", "10.0.0.4");
        assertThat(change(tx -> tx.put(cache)))
                .containsExactly(
                        "add chain from/shop/cache",
                        "add chain to/shop/cache",
                        "add rule from/shop/cache ip daddr 10.0.0.4 accept",
                        "add rule from/shop/cache jump out/profile/kns.shop",
                        "add rule from/shop/cache drop comment \"no profile allows\"",
                        "add rule to/shop/cache ip saddr 10.0.0.4 accept",
                        "add rule to/shop/cache jump in/profile/kns.shop",
                        "add rule to/shop/cache drop comment \"no profile allows\"",
                        "add element from/ipv4 { 10.0.0.4 : goto from/shop/cache }",
                        "add element to/ipv4 { 10.0.0.4 : goto to/shop/cache }");
        assertThat(change(tx -> tx.remove(cache)))
                .containsExactly(
                        "flush chain from/shop/cache",
                        "flush chain to/shop/cache",
                        "delete element from/ipv4 { 10.0.0.4 }",
                        "delete element to/ipv4 { 10.0.0.4 }",
                        "delete chain from/shop/cache",
                        "delete chain to/shop/cache");
    }

    @Test
    void aChangedRuleChangesTheChainOfItsPolicyOnly() {
        change(tx -> tx.put(policy("db", fromFront())));
        assertThat(masked(change(tx -> tx.put(policy("db", fromFront().replace("5432", "5433"))))))
                .containsExactly(
                        "flush chain in/NetworkPolicy/shop/db",
                        "add rule in/NetworkPolicy/shop/db meta l4proto 6 ip saddr @set/SET/ipv4 th dport 5433 accept comment"
                                + " \"spec.ingress[0].from[0]\"",
                        "add rule in/NetworkPolicy/shop/db meta l4proto 6 ip6 saddr @set/SET/ipv6 th dport 5433 accept comment"
                                + " \"spec.ingress[0].from[0]\"");
    }

    @Test
    void aRemovedPolicyRemovesWhatItAdded() {
        String before = rules.table().creation();
        change(tx -> tx.put(policy("db", fromFront())));
        change(tx -> tx.remove(policy("db", fromFront())));
        assertThat(rules.table().creation()).isEqualTo(before);
    }

    @Test
    void anAddressOfTwoPodsIsSubjectToBoth() {
        HasMetadata other = pod("successor", "n1", "10.0.0.1");
        assertThat(change(tx -> tx.put(other)))
                .contains(
                        "add chain forward/to/2 { type filter hook forward priority filter - 10; policy accept; }",
                        "add rule forward/to/2 ip daddr vmap @to/ipv4/2",
                        "add element to/ipv4/2 { 10.0.0.1 : goto to/shop/successor }");
        assertThat(change(tx -> tx.remove(other)))
                .contains("delete chain forward/to/2", "delete map to/ipv4/2")
                .doesNotContain("delete element to/ipv4/2 { 10.0.0.1 }");
    }

    @Test
    void aRuleThatPassesMarksThePacketUntilTheNextTier() {
        change(tx -> tx.put(manifest("{apiVersion: policy.evenkeel.dev/v1, kind: Tier, metadata: {name: first},"
                + " spec: {order: 1, defaultAction: Deny}}")));
        List<String> lines = change(tx -> tx.put(manifest("{apiVersion: policy.evenkeel.dev/v1,"
                + " kind: ClusterTieredPolicy, metadata: {name: ops}, spec: {tier: first, selector: 'app == \"db\"',"
                + " types: [Ingress], ingress: [{action: Log}, {action: Pass, protocol: TCP}]}}")));
        assertThat(lines)
                .containsSubsequence(
                        "add rule in/ClusterTieredPolicy/ops limit rate 10/second burst 20 packets log prefix"
                                + " \"ClusterTieredPolicy ops: \" comment \"spec.ingress[0]\"",
                        "add rule in/ClusterTieredPolicy/ops meta l4proto 6 meta mark set meta mark or 0x1000 return comment"
                                + " \"spec.ingress[1]\"",
                        "add rule to/shop/db jump in/ClusterTieredPolicy/ops",
                        "add rule to/shop/db meta mark and 0x1000 == 0x1000 goto to/shop/db/2",
                        "add rule to/shop/db drop comment \"default of tier first\"",
                        "add rule to/shop/db/2 meta mark set meta mark and 0xffffefff",
                        "add rule to/shop/db/2 jump in/profile/kns.shop",
                        "add rule to/shop/db/2 drop comment \"no profile allows\"");
    }

    @Test
    void tableDependsOnTheStateOnly() {
        long seed = Long.getLong("policy.seed", System.nanoTime());
        PolicyCalculation all = PolicyCalculation.forAllHosts();
        Cursor<Update> changes = all.open("n1");
        Ruleset followed = new Ruleset("t", 1);
        all.transact(tx -> PolicyCalculation.kinds().forEach(tx::synced));
        for (int i = 0; i < 100; i++) {
            List<HasMetadata> objects = RandomWorld.of(seed + i).world().objects();
            all.transact(tx -> PolicyCalculation.kinds().forEach(kind -> replace(tx, kind, objects)));
            followed.apply(changes.poll().messages());
            String unused = followed.changes();
            Ruleset fresh = new Ruleset("t", 1);
            try (Cursor<Update> cursorOfFresh = all.open("n1")) {
                fresh.apply(cursorOfFresh.poll().messages());
            }
            assertThat(followed.table().creation())
                    .as("-Dpolicy.seed=" + (seed + i))
                    .isEqualTo(fresh.table().creation());
            assertThat(followed.changes()).isEmpty();
        }
    }

    private static <T extends HasMetadata> void replace(
            PolicyTransaction tx, Class<T> kind, List<HasMetadata> objects) {
        tx.replace(
                kind, objects.stream().filter(kind::isInstance).map(kind::cast).toList());
    }

    @Test
    void aReferenceToWhatWasNotSentIsRefused() {
        Update.Builder delta = Update.newBuilder();
        delta.getIpSetDeltaUpdateBuilder().setId("s:unknown");
        assertThatThrownBy(() -> rules.apply(List.of(delta.build())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("IP set s:unknown: has not been sent");
        Update.Builder pod = Update.newBuilder();
        pod.getWorkloadEndpointUpdateBuilder().setId("a/b").getEndpointBuilder().addProfileNames("kns.a");
        assertThatThrownBy(() -> rules.apply(List.of(pod.build())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("profile/kns.a: has not been sent, but an endpoint lists it");
    }
}
