package dev.evenkeel.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.schedule.SystemScheduler;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.graph.Cursor;
import dev.evenkeel.policy.v1.Update;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Informers of a client as the source, on the engine. */
class PolicySourceTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final Engine engine = Engine.create();
    private final Client client = engine.client();
    private final SystemScheduler scheduler = new SystemScheduler();
    private final PolicyCalculation calculation = PolicyCalculation.forHost("n1");
    private final Cursor<Update> cursor = calculation.open("n1");
    private final HostState state = new HostState();

    @AfterEach
    void close() {
        cursor.close();
        scheduler.close();
        engine.close();
    }

    private void await(Predicate<HostState> wanted) throws InterruptedException {
        long end = System.nanoTime() + LONG.toNanos();
        while (!wanted.test(state)) {
            assertThat(System.nanoTime()).as("received: %s", state).isLessThan(end);
            state.apply(cursor.poll(LONG).messages());
        }
    }

    private <T extends HasMetadata> T create(Class<T> type, String manifest) {
        return client.create(ModelCodec.convert(Manifests.parse(manifest).getFirst(), type));
    }

    private void pod(String name, String address, String label) {
        Pod pod = create(Pod.class, """
                apiVersion: v1
                kind: Pod
                metadata: {namespace: default, name: %s, labels: {app: %s}}
                spec: {nodeName: n1, containers: [{name: c, image: i, ports: [{name: http, containerPort: 80}]}]}
                """.formatted(name, label));
        pod.setStatus(ModelCodec.convert(
                        Manifests.parse("{apiVersion: v1, kind: Pod, metadata: {name: s}, status: {phase: Running,"
                                        + " podIP: " + address + ", podIPs: [{ip: " + address + "}]}}")
                                .getFirst(),
                        Pod.class)
                .getStatus());
        client.updateStatus(pod);
    }

    private void define() throws IOException {
        try (InputStream file = Objects.requireNonNull(Tier.class.getResourceAsStream("crds.yaml"))) {
            Manifests.parse(new String(file.readAllBytes(), StandardCharsets.UTF_8))
                    .forEach(definition -> {
                        CustomResourceDefinition unused =
                                client.create(ModelCodec.convert(definition, CustomResourceDefinition.class));
                    });
        }
    }

    @Test
    void theStateFollowsTheClusterAndKindsWithoutDefinitionDoNotBlock() throws Exception {
        pod("web", "10.0.0.1", "web");
        pod("front", "10.0.0.2", "front");
        client.create(ModelCodec.convert(Manifests.parse("""
                apiVersion: networking.k8s.io/v1
                kind: NetworkPolicy
                metadata: {namespace: default, name: web}
                spec:
                  podSelector: {matchLabels: {app: web}}
                  ingress: [{from: [{podSelector: {matchLabels: {app: front}}}], ports: [{port: http}]}]
                """).getFirst(), NetworkPolicy.class));
        try (PolicySource source = PolicySource.start(calculation, client, scheduler)) {
            await(HostState::isInSync);
            assertThat(state.pods()).containsOnlyKeys("default/web", "default/front");
            assertThat(state.policies()).containsOnlyKeys("NetworkPolicy default/web");
            assertThat(source.unsynced()).isEmpty();
            assertThat(source.problems())
                    .hasSize(7)
                    .allMatch(problem -> problem.contains("the cluster does not have this kind"))
                    .anyMatch(problem -> problem.startsWith("tiers.policy.evenkeel.dev: "));
            MessageEvaluator evaluator = new MessageEvaluator(state);
            assertThat(evaluator.allows(new MessageEvaluator.Packet("10.0.0.2", 5000, "10.0.0.1", 80, "TCP")))
                    .isTrue();
            assertThat(evaluator.allows(new MessageEvaluator.Packet("10.0.0.3", 5000, "10.0.0.1", 80, "TCP")))
                    .isFalse();

            pod("front2", "10.0.0.3", "front");
            await(host -> host.pods().size() == 3);
            assertThat(evaluator.allows(new MessageEvaluator.Packet("10.0.0.3", 5000, "10.0.0.1", 80, "TCP")))
                    .isTrue();
            Pod front = client.get(Pod.class, new ObjectKey("default", "front"));
            front.getMetadata().setLabels(Map.of("app", "other"));
            client.update(front);
            await(host -> host.members().values().stream().noneMatch(members -> members.contains("10.0.0.2/32")));
            assertThat(evaluator.allows(new MessageEvaluator.Packet("10.0.0.2", 5000, "10.0.0.1", 80, "TCP")))
                    .isFalse();
            client.delete(NetworkPolicy.class, new ObjectKey("default", "web"));
            await(host -> host.policies().isEmpty());
            assertThat(state.members()).isEmpty();
            assertThat(evaluator.allows(new MessageEvaluator.Packet("10.0.0.2", 5000, "10.0.0.1", 80, "TCP")))
                    .isTrue();
            calculation.verify();
        }
    }

    @Test
    void theStateOfCustomKinds() throws Exception {
        define();
        pod("web", "10.0.0.1", "web");
        create(Tier.class, """
                apiVersion: policy.evenkeel.dev/v1
                kind: Tier
                metadata: {name: platform}
                spec: {order: 10, defaultAction: Pass}
                """);
        create(ClusterTieredPolicy.class, """
                apiVersion: policy.evenkeel.dev/v1
                kind: ClusterTieredPolicy
                metadata: {name: quarantine}
                spec:
                  tier: platform
                  selector: app == "web"
                  types: [Ingress]
                  ingress: [{action: Deny, source: {nets: [10.9.0.0/16]}}]
                """);
        try (PolicySource source = PolicySource.start(calculation, client, scheduler)) {
            await(HostState::isInSync);
            assertThat(state.policies()).containsOnlyKeys("ClusterTieredPolicy /quarantine");
            assertThat(state.pods().get("default/web").getTiersList())
                    .extracting(tier -> tier.getName())
                    .isEqualTo(List.of("platform"));
            assertThat(source.problems()).hasSize(1).first().asString().startsWith("clusternetworkpolicies.");
        }
    }

    @Test
    void aKindThatIsDefinedLater() throws Exception {
        pod("web", "10.0.0.1", "web");
        try (PolicySource source = PolicySource.start(calculation, client, scheduler)) {
            await(HostState::isInSync);
            assertThat(source.problems()).hasSize(7);
            define();
            create(ClusterTieredPolicy.class, """
                    apiVersion: policy.evenkeel.dev/v1
                    kind: ClusterTieredPolicy
                    metadata: {name: all}
                    spec: {ingress: [{action: Deny}]}
                    """);
            await(host -> host.policies().containsKey("ClusterTieredPolicy /all"));
            assertThat(source.problems()).noneMatch(problem -> problem.startsWith("clustertieredpolicies."));
        }
    }
}
