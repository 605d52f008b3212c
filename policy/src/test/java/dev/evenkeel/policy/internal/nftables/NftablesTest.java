package dev.evenkeel.policy.internal.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.policy.PolicyCase;
import dev.evenkeel.policy.World;
import dev.evenkeel.policy.internal.nftables.Prober.Attempt;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes and mishaps, with packets between the hosts of {@code cases.yaml}; each begins without rules. */
class NftablesTest {
    private static final String FRONT = "10.0.1.1";
    private static final String DB = "10.0.1.2";
    private static final String OTHER = "10.0.2.1";

    @SuppressWarnings("NullAway.Init")
    private static PolicyLab lab;

    private final World world = PolicyCase.all().getFirst().world();

    @BeforeAll
    static void needsNamespaces() {
        Lab.missing().ifPresent(Assumptions::abort);
        lab = PolicyLab.ofCases();
    }

    @BeforeEach
    void start() {
        lab.clear();
        lab.replace(world.objects());
    }

    @AfterAll
    static void stop() {
        if (lab != null) {
            lab.close();
        }
    }

    private static HasMetadata policy(String spec) {
        return Manifests.parse("{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy,"
                        + " metadata: {namespace: x, name: p}, spec: " + spec + "}")
                .getFirst();
    }

    private void put(String spec) {
        lab.change(tx -> tx.put(policy(spec)));
    }

    private boolean reaches(String from, String to, boolean expected) {
        BitSet wanted = new BitSet();
        wanted.set(0, expected);
        return lab.prober()
                .run(List.of(new Attempt(from, to, "TCP", 80)), wanted)
                .get(0);
    }

    private void assertReaches(String from, String to) {
        assertThat(reaches(from, to, true)).as(from + " to " + to).isTrue();
    }

    private void assertDenied(String from, String to) {
        assertThat(reaches(from, to, false)).as(from + " to " + to).isFalse();
    }

    private Pod pod(String namespace, String name, Map<String, String> labels) {
        Pod pod = world.all(Pod.class).stream()
                .filter(one -> one.getMetadata().getNamespace().equals(namespace)
                        && one.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
        pod.getMetadata().setLabels(labels);
        return pod;
    }

    @Test
    void connectionsThatAreEstablishedContinueWhenAPolicyDeniesNewOnes() throws IOException {
        try (ServerSocketChannel server =
                        lab.lab().in("x/b", () -> ServerSocketChannel.open().bind(new InetSocketAddress(DB, 81)));
                SocketChannel client = lab.lab().in("x/a", SocketChannel::open)) {
            client.connect(new InetSocketAddress(DB, 81));
            try (SocketChannel accepted = server.accept()) {
                put("{podSelector: {}, policyTypes: [Ingress, Egress]}");
                client.write(ByteBuffer.wrap(new byte[] {42}));
                ByteBuffer received = ByteBuffer.allocate(1);
                accepted.read(received);
                assertThat(received.get(0)).isEqualTo((byte) 42);
            }
        }
        assertDenied(FRONT, DB);
    }

    @Test
    void labelsOfPodsAndNamespacesDecideAtOnce() {
        put("{podSelector: {matchLabels: {pod: b}}, ingress: [{from: [{podSelector: {matchLabels: {role: front}}},"
                + " {namespaceSelector: {matchLabels: {access: db}}}]}]}");
        assertDenied(FRONT, DB);
        assertDenied(OTHER, DB);
        lab.change(tx -> tx.put(pod("x", "a", Map.of("role", "front"))));
        assertReaches(FRONT, DB);
        lab.change(tx -> tx.put(world.namespace("y", Map.of("access", "db"))));
        assertReaches(OTHER, DB);
        lab.change(tx -> tx.put(pod("x", "a", Map.of("role", "back"))).put(world.namespace("y", Map.of())));
        assertDenied(FRONT, DB);
        assertDenied(OTHER, DB);
        lab.change(tx -> tx.put(pod("x", "b", Map.of("pod", "c"))));
        assertReaches(FRONT, DB);
    }

    @Test
    void overlappingBlocksOfNetworkSetsComeAndGo() {
        lab.change(tx -> tx.put(Manifests.parse("{apiVersion: policy.evenkeel.dev/v1, kind: ClusterTieredPolicy,"
                        + " metadata: {name: p}, spec: {selector: 'pod == \"b\"', types: [Ingress],"
                        + " ingress: [{action: Allow, source: {selector: has(trusted)}}]}}")
                .getFirst()));
        assertDenied("172.17.0.5", DB);
        for (String nets : List.of(
                "172.17.0.0/16",
                "172.17.0.0/16, 172.17.0.0/24",
                "172.17.0.0/24",
                "172.17.0.0/24, 172.17.0.5/32, 172.0.0.0/8",
                "172.17.0.5/32, 10.0.0.0/8",
                "0.0.0.0/0, 172.17.0.5/32",
                "0.0.0.0/0, 10.0.0.0/8")) {
            networks(nets);
            assertReaches("172.17.0.5", DB);
            assertThat(lab.differences()).isEmpty();
        }
        networks("172.17.0.0/30, 10.0.0.0/8");
        assertDenied("172.17.0.5", DB);
        networks("");
        assertDenied(FRONT, DB);
    }

    private void networks(String nets) {
        lab.change(tx -> tx.put(Manifests.parse("{apiVersion: policy.evenkeel.dev/v1, kind: ClusterNetworkSet,"
                        + " metadata: {name: s, labels: {trusted: \"\"}}, spec: {nets: [" + nets + "]}}")
                .getFirst()));
    }

    @Test
    void setsHaveThousandsOfMembers() {
        put("{podSelector: {matchLabels: {pod: b}}, ingress: [{from: [{podSelector: {matchLabels: {pod: a}}}]}]}");
        lab.change(tx -> {
            for (int i = 0; i < 5_000; i++) {
                tx.put(world.pod(
                        "x",
                        "many" + i,
                        "n9",
                        Map.of("pod", "a"),
                        List.of("10.8." + i / 250 + "." + i % 250),
                        List.of()));
            }
        });
        assertThat(lab.differences()).isEmpty();
        assertReaches(FRONT, DB);
        assertDenied(OTHER, DB);
        lab.change(tx -> tx.put(pod("x", "a", Map.of("pod", "c"))));
        assertDenied(FRONT, DB);
    }

    @Test
    void anotherAgentContinuesWithoutOpeningOrClosing() throws InterruptedException {
        put("{podSelector: {matchLabels: {pod: b}}, ingress: [{from: [{podSelector: {}}]}]}");
        List<Attempt> attempts = new ArrayList<>();
        BitSet expected = new BitSet();
        for (int i = 0; i < 20; i++) {
            attempts.add(new Attempt(FRONT, DB, "UDP", 53));
            attempts.add(new Attempt(OTHER, DB, "UDP", 53));
            expected.set(2 * i);
        }
        Thread restarts = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < 20; i++) {
                lab.restart();
            }
        });
        do {
            assertThat(lab.prober().run(attempts, expected)).isEqualTo(expected);
        } while (restarts.isAlive());
        restarts.join();
        assertThat(lab.differences()).isEmpty();
    }

    @Test
    void noPacketPassesWhileOtherAgentsReplaceTheTable() throws IOException {
        put("{podSelector: {matchLabels: {pod: b}}, ingress: [{from: [{podSelector: {}}]}]}");
        InetSocketAddress to = new InetSocketAddress(DB, 99);
        try (DatagramChannel receiver =
                        lab.lab().in("x/b", () -> DatagramChannel.open().bind(to));
                DatagramChannel sender = lab.lab().in("y/a", DatagramChannel::open)) {
            receiver.configureBlocking(false);
            Thread restarts = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 25; i++) {
                    lab.restart();
                }
            });
            ByteBuffer data = ByteBuffer.allocate(1);
            // as many as it can: it is a matter of microseconds
            while (restarts.isAlive()) {
                sender.send(data.clear(), to);
            }
            assertThat(receiver.receive(ByteBuffer.allocate(1))).isNull();
        }
        assertDenied(OTHER, DB);
    }

    @Test
    void tablesOfOthersAreNotTouchedAndOwnOnesAreRestored() {
        Nft nft = lab.lab().nft("n1");
        nft.run("table inet other {\n chain c {\n  type filter hook forward priority 0; policy accept;\n"
                + "  ip saddr 192.0.2.1 drop\n }\n}\ntable ip evenkeel-policy {\n}\n");
        String others = nft.list("other");
        put("{podSelector: {matchLabels: {pod: b}}, ingress: []}");
        assertDenied(FRONT, DB);
        for (String mishap : List.of(
                "flush chain inet evenkeel-policy to/x/b",
                "delete element inet evenkeel-policy to/ipv4 { " + DB + " }",
                "add element inet evenkeel-policy to/ipv4 { 192.0.2.1 : accept }",
                "add chain inet evenkeel-policy surplus",
                "insert rule inet evenkeel-policy forward/to accept",
                "delete table inet evenkeel-policy",
                "flush ruleset inet")) {
            nft.run(mishap + "\n");
            assertThat(lab.differences()).as(mishap).isNotEmpty();
            lab.check();
            assertThat(lab.differences()).as(mishap).isEmpty();
            assertDenied(FRONT, DB);
            if (!mishap.equals("flush ruleset inet")) {
                assertThat(nft.list("other")).isEqualTo(others);
            }
        }
    }

    @Test
    void aTransactionThatIsKilledHasHappenedCompletelyOrNotAtAll() {
        Nft nft = lab.lab().nft("n1");
        StringBuilder large = new StringBuilder("delete element inet evenkeel-policy to/ipv4 { " + DB + " }\n"
                + "add set inet evenkeel-policy large { type ipv4_addr; }\n");
        for (int i = 0; i < 100; i++) {
            large.append("add element inet evenkeel-policy large { ");
            for (int j = 0; j < 200; j++) {
                large.append(j == 0 ? "" : ", ")
                        .append("10.9.")
                        .append(i)
                        .append('.')
                        .append(j);
            }
            large.append(" }\n");
        }
        put("{podSelector: {matchLabels: {pod: b}}, ingress: []}");
        int killed = 0;
        for (int wait = 1; wait <= 128; wait *= 2) {
            String before = nft.list(PolicyLab.TABLE);
            boolean done = true;
            try {
                new Nft(lab.lab().command("n1", "nft"), Duration.ofMillis(wait)).run(large.toString());
            } catch (NftException e) {
                assertThat(e).hasMessageContaining("no result after");
                killed++;
                done = !nft.list(PolicyLab.TABLE).equals(before);
            }
            assertThat(lab.differences().isEmpty()).isEqualTo(!done);
            if (done) {
                assertThat(nft.list(PolicyLab.TABLE)).contains("10.9.0.0", "10.9.99.199");
                lab.check();
            }
            assertThat(lab.differences()).isEmpty();
            assertDenied(FRONT, DB);
        }
        assertThat(killed).isPositive();
    }

    @Test
    void aRefusedTransactionChangesNothing() {
        put("{podSelector: {matchLabels: {pod: b}}, ingress: []}");
        Nft nft = lab.lab().nft("n1");
        String before = nft.list(PolicyLab.TABLE);
        assertThatThrownBy(() -> nft.run(
                        "flush chain inet evenkeel-policy to/x/b\n" + "delete chain inet evenkeel-policy absent\n"))
                .isInstanceOf(NftException.class)
                .hasMessageContaining("No such file or directory")
                .hasMessageContaining("delete chain inet evenkeel-policy absent");
        assertThat(nft.list(PolicyLab.TABLE)).isEqualTo(before);
        assertDenied(FRONT, DB);
    }

    @Test
    void aCallThatTakesTooLongFails() {
        assertThatThrownBy(() -> new Nft(List.of("sleep", "60", "#"), Duration.ofMillis(50)).run(""))
                .isInstanceOf(NftException.class);
        assertThatThrownBy(() -> new Nft(List.of("no-such-nft"), Duration.ofSeconds(5)).run(""))
                .isInstanceOf(NftException.class)
                .hasMessageContaining("install the package nftables");
    }
}
