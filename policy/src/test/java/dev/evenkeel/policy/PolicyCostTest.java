package dev.evenkeel.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.graph.Cursor;
import dev.evenkeel.policy.v1.Update;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The cost of each kind of change: evaluations of selectors, changed rows of all tables, and messages to the host. It follows
 * the change: it is the same in a cluster that is ten times as large.
 */
class PolicyCostTest {
    private static final int PODS = 10;
    private static final int LOCAL = 5;
    private static final Pattern WORK =
            Pattern.compile("\\d+ (.*?) = (\\w+)\\(.*; in \\d+ steps (\\d+) changes, (\\d+) calls");

    /** What a change has cost. */
    private record Cost(long evaluations, long rows, int messages) {
        @Override
        public String toString() {
            return evaluations + " | " + rows + " | " + messages;
        }
    }

    /** A cluster with a calculation for the host n1, which has the first pod of the first namespaces. */
    private static final class Cluster {
        final World world = new World();
        final PolicyCalculation calculation = PolicyCalculation.forHost("n1");
        final Cursor<Update> cursor = calculation.open("n1");
        final HostState state = new HostState();

        Cluster(int namespaces, int pods) {
            world.node("n1", Map.of(), "172.18.0.2");
            for (int i = 0; i < namespaces; i++) {
                world.namespace("ns" + i, Map.of("team", "t" + i % 5));
                for (int j = 0; j < pods; j++) {
                    pod(i, j, "a" + j % 5);
                }
                world.add(policy(i, "a1"));
                world.add(slice(i, true, 1, 2, 3));
            }
            world.add(toService("ns7"));
            world.add(tier(100));
            for (int i = 1; i <= 3; i++) {
                world.add(ofTier(i, i, "t" + i));
            }
            calculation.transact(tx -> {
                world.objects().forEach(tx::put);
                PolicyCalculation.kinds().forEach(tx::synced);
            });
            state.apply(cursor.poll().messages());
            assertThat(state.pods()).hasSize(LOCAL);
        }

        Pod pod(int namespace, int number, String app) {
            return world.pod(
                    "ns" + namespace,
                    "p" + number,
                    number == 0 && namespace < LOCAL ? "n1" : "n2",
                    Map.of("app", app, "id", namespace + "-" + number),
                    List.of("10." + namespace + "." + number / 250 + "." + (1 + number % 250)),
                    List.of("http=80/TCP"));
        }

        static NetworkPolicy policy(int namespace, String from) {
            return ModelCodec.convert(
                    Manifests.parse("""
                    apiVersion: networking.k8s.io/v1
                    kind: NetworkPolicy
                    metadata: {namespace: ns%s, name: web}
                    spec:
                      podSelector: {matchLabels: {app: a0}}
                      ingress: [{from: [{podSelector: {matchLabels: {app: %s}}}], ports: [{port: 80}]}]
                    """.formatted(namespace, from)).getFirst(), NetworkPolicy.class);
        }

        static EndpointSlice slice(int namespace, boolean ready, int... pods) {
            return new EndpointSliceBuilder()
                    .withNewMetadata()
                    .withNamespace("ns" + namespace)
                    .withName("web-1")
                    .addToLabels("kubernetes.io/service-name", "web")
                    .endMetadata()
                    .withAddressType("IPv4")
                    .withEndpoints(IntStream.of(pods)
                            .mapToObj(pod -> new EndpointBuilder()
                                    .withAddresses("10." + namespace + ".0." + pod)
                                    .withNewConditions()
                                    .withReady(ready)
                                    .endConditions()
                                    .build())
                            .toList())
                    .addNewPort()
                    .withPort(80)
                    .endPort()
                    .build();
        }

        static ClusterTieredPolicy toService(String namespace) {
            return ModelCodec.convert(Manifests.parse("""
                    apiVersion: policy.evenkeel.dev/v1
                    kind: ClusterTieredPolicy
                    metadata: {name: to-service}
                    spec:
                      selector: app == "a0" && projectcalico.org/namespace == "ns0"
                      types: [Egress]
                      egress: [{action: Allow, destination: {services: {namespace: %s, name: web}}}]
                    """.formatted(namespace)).getFirst(), ClusterTieredPolicy.class);
        }

        static Tier tier(double order) {
            Tier tier = new Tier();
            tier.getMetadata().setName("platform");
            tier.setSpec(new TierSpec(order, "Pass"));
            return tier;
        }

        static ClusterTieredPolicy ofTier(int number, double order, String team) {
            return ModelCodec.convert(
                    Manifests.parse("""
                    apiVersion: policy.evenkeel.dev/v1
                    kind: ClusterTieredPolicy
                    metadata: {name: platform-%s}
                    spec:
                      tier: platform
                      order: %s
                      selector: app == "a0" && projectcalico.org/namespace == "ns%s"
                      types: [Ingress]
                      ingress: [{action: Deny, source: {selector: app == "a4", namespaceSelector: team == "%s"}}]
                    """.formatted(number, order, number, team)).getFirst(), ClusterTieredPolicy.class);
        }

        /** Returns the evaluations of selectors so far, and the changes of rows. */
        private long[] work() {
            long[] work = new long[2];
            for (String line : calculation.explain().split("\n")) {
                Matcher matcher = WORK.matcher(line);
                assertThat(matcher.find()).as(line).isTrue();
                if (!matcher.group(2).equals("input")) {
                    work[1] += Long.parseLong(matcher.group(3));
                }
                if (matcher.group(2).equals("match")) {
                    work[0] += Long.parseLong(matcher.group(4));
                }
            }
            return work;
        }

        Cost cost(Consumer<PolicyTransaction> change) {
            long[] before = work();
            calculation.transact(change);
            long[] after = work();
            List<Update> messages = cursor.poll().messages();
            state.apply(messages);
            calculation.verify();
            return new Cost(after[0] - before[0], after[1] - before[1], messages.size());
        }

        Map<String, Cost> costs() {
            Map<String, Cost> costs = new LinkedHashMap<>();
            costs.put(
                    "updates that change nothing",
                    cost(tx -> tx.put(pod(4, 0, "a0")).put(policy(4, "a1"))));
            costs.put(
                    "a new list of all pods with the same content",
                    cost(tx -> tx.replace(Pod.class, distinct(world.all(Pod.class)))));
            costs.put("a pod that no rule is about, added", cost(tx -> tx.put(pod(9, 20, "a2"))));
            costs.put("the same pod, removed", cost(tx -> tx.remove(pod(9, 20, "a2"))));
            costs.put(
                    "a label that no selector mentions", cost(tx -> tx.put(relabelled(pod(4, 6, "a1"), "id", "new"))));
            costs.put("a pod elsewhere joins a set, with labels that others have", cost(tx -> tx.put(pod(4, 7, "a1"))));
            costs.put("a pod elsewhere leaves a set, with new labels", cost(tx -> tx.put(pod(4, 7, "other"))));
            costs.put("labels of a local pod: no policy applies any more", cost(tx -> tx.put(pod(4, 0, "a3"))));
            costs.put("labels of a local pod: a policy applies", cost(tx -> tx.put(pod(4, 0, "a0"))));
            costs.put(
                    "labels of a namespace: 2 of its " + PODS + " pods join a set",
                    cost(tx -> tx.put(namespace(7, "t1"))));
            costs.put("another peer in a rule of an active policy", cost(tx -> tx.put(policy(4, "a2"))));
            costs.put(
                    "another peer in a rule of a policy that is active elsewhere", cost(tx -> tx.put(policy(8, "a2"))));
            costs.put("the order of a policy of 1 endpoint: now the first", cost(tx -> tx.put(ofTier(3, 0, "t3"))));
            costs.put("the order of a tier with policies of 3 endpoints", cost(tx -> tx.put(tier(1e9))));
            costs.put(
                    "the service account of a local pod, created",
                    cost(tx -> tx.put(new ServiceAccountBuilder()
                            .withNewMetadata()
                            .withNamespace("ns4")
                            .withName("default")
                            .endMetadata()
                            .build())));
            costs.put(
                    "an endpoint more of a Service that a rule names", cost(tx -> tx.put(slice(7, true, 1, 2, 3, 4))));
            costs.put("endpoints of it that are not ready any more", cost(tx -> tx.put(slice(7, false, 1, 2, 3, 4))));
            costs.put(
                    "an endpoint more of a Service that no rule names", cost(tx -> tx.put(slice(8, true, 1, 2, 3, 4))));
            costs.put("an active policy removed", cost(tx -> tx.remove(policy(4, "a2"))));
            costs.put("a local pod removed", cost(tx -> tx.remove(pod(0, 0, "a0"))));
            return costs;
        }

        private static List<Pod> distinct(List<Pod> pods) {
            return List.copyOf(pods.stream()
                    .collect(Collectors.toMap(
                            pod -> pod.getMetadata().getNamespace() + "/"
                                    + pod.getMetadata().getName(),
                            pod -> pod,
                            (first, second) -> first))
                    .values());
        }

        private static Pod relabelled(Pod pod, String label, String value) {
            return new PodBuilder(pod)
                    .editMetadata()
                    .addToLabels(label, value)
                    .endMetadata()
                    .build();
        }

        private static Namespace namespace(int number, String team) {
            return new NamespaceBuilder()
                    .withNewMetadata()
                    .withName("ns" + number)
                    .addToLabels("team", team)
                    .endMetadata()
                    .build();
        }
    }

    private static String table(Map<String, Cost> costs) {
        List<String> lines = new ArrayList<>();
        lines.add("| change | selectors evaluated | rows changed | messages |");
        lines.add("| --- | --- | --- | --- |");
        costs.forEach((change, cost) -> lines.add("| " + change + " | " + cost + " |"));
        return String.join("\n", lines);
    }

    @Test
    void costFollowsTheChangeAndNotTheCluster() throws IOException {
        String small = table(new Cluster(20, PODS).costs());
        String large = table(new Cluster(200, PODS).costs());
        assertThat(large).isEqualTo(small);
        assertThat(Files.readString(Path.of("..", "docs", "policy.md"))).contains(small);
    }

    @Test
    void aNewSetCostsItsMembersAndTheClassesThatItMayMatch() {
        Cluster small = new Cluster(20, 10);
        Cluster large = new Cluster(20, 100);
        Consumer<PolicyTransaction> change = tx -> tx.put(Cluster.ofTier(1, 1, "t4"));
        Cost few = small.cost(change);
        Cost many = large.cost(change);
        assertThat(many.evaluations()).isEqualTo(few.evaluations()).isLessThan(100);
        assertThat(many.messages()).isEqualTo(few.messages()).isEqualTo(3);
        // two sets of pods of 4 namespaces: 2 and 20 members of each
        assertThat(many.rows()).isBetween(few.rows() + 72 * 2, few.rows() + 72 * 10);
    }

    @Test
    void aNamespaceCostsItsClassesAndNotItsPods() {
        Cost small = new Cluster(10, 10).cost(tx -> tx.put(Cluster.namespace(8, "t9")));
        Cost large = new Cluster(10, 1_000).cost(tx -> tx.put(Cluster.namespace(8, "t9")));
        assertThat(large.evaluations()).isEqualTo(small.evaluations()).isPositive();
        assertThat(large.messages()).isEqualTo(small.messages());
    }

    @Test
    void aDuplicateCostsNothing() {
        Cluster cluster = new Cluster(10, 10);
        Cost none = new Cost(0, 0, 0);
        for (HasMetadata object : cluster.world.objects()) {
            assertThat(cluster.cost(tx -> tx.put(object))).as(object.toString()).isEqualTo(none);
        }
    }
}
