package dev.evenkeel.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

@EvenkeelTest(manifests = "manifests/workloads.yaml")
class WorkloadsTest {
    KubernetesClient client;
    EngineCluster cluster;

    private <T extends HasMetadata> T get(Class<T> type) {
        return client.resources(type).inNamespace("default").withName("web").get();
    }

    private boolean ready(Class<? extends HasMetadata> type) {
        return Readiness.getInstance().isReady(get(type));
    }

    @Test
    void theyStayAsTheyAreUntilATestSaysOtherwise() {
        cluster.awaitQuiet();
        assertThat(ready(Deployment.class)).isFalse();
        assertThat(ready(Pod.class)).isFalse();
    }

    @Test
    void allKindsBecomeReadyAtOnce() {
        cluster.workloads().becomeReady();
        cluster.awaitQuiet();
        assertThat(ready(Deployment.class)).isTrue();
        assertThat(get(Deployment.class).getStatus().getAvailableReplicas()).isEqualTo(3);
        assertThat(ready(StatefulSet.class)).isTrue();
        assertThat(ready(Pod.class)).isTrue();
        assertThat(get(Pod.class).getStatus().getPodIP()).isNotEmpty();
        assertThat(get(DaemonSet.class).getStatus().getNumberReady()).isOne();
        assertThat(get(Job.class).getStatus().getConditions())
                .anyMatch(condition -> condition.getType().equals("Complete"));
        assertThat(get(PersistentVolumeClaim.class).getStatus().getPhase()).isEqualTo("Bound");
        assertThat(get(Service.class)
                        .getStatus()
                        .getLoadBalancer()
                        .getIngress()
                        .getFirst()
                        .getIp())
                .isNotEmpty();
    }

    @Test
    void aChangedDeploymentIsReadyAgain() {
        cluster.workloads().becomeReady();
        client.apps().deployments().inNamespace("default").withName("web").scale(5);
        cluster.awaitQuiet();
        Deployment deployment = get(Deployment.class);
        assertThat(deployment.getStatus().getObservedGeneration())
                .isEqualTo(deployment.getMetadata().getGeneration())
                .isEqualTo(2);
        assertThat(deployment.getStatus().getReadyReplicas()).isEqualTo(5);
    }

    @Test
    void theyBecomeReadyAfterATimeOfTheClock() {
        cluster.workloads().becomeReady(Duration.ofMinutes(10));
        cluster.awaitQuiet();
        cluster.clock().advance(Duration.ofMinutes(9));
        cluster.awaitQuiet();
        assertThat(ready(Deployment.class)).isFalse();
        cluster.clock().advance(Duration.ofMinutes(2));
        cluster.awaitQuiet();
        assertThat(ready(Deployment.class)).isTrue();
        assertThat(ready(Pod.class)).isTrue();
    }

    private Map<String, Pod> pods(String app) {
        return client.pods().inNamespace("default").withLabel("app", app).list().getItems().stream()
                .collect(Collectors.toMap(pod -> pod.getMetadata().getName(), pod -> pod));
    }

    @Test
    void aDeploymentHasAReplicaSetAndPods() {
        cluster.workloads().withPods().becomeReady();
        cluster.awaitQuiet();
        ReplicaSet set = client.apps()
                .replicaSets()
                .inNamespace("default")
                .list()
                .getItems()
                .getFirst();
        assertThat(set.getStatus().getReadyReplicas()).isEqualTo(3);
        assertThat(pods("web").values()).hasSize(3).allMatch(Readiness.getInstance()::isReady);
        assertThat(pods("web").values().stream()
                        .map(pod -> pod.getStatus().getPodIP())
                        .distinct())
                .hasSize(3);
        client.apps().deployments().inNamespace("default").withName("web").scale(1);
        cluster.awaitQuiet();
        assertThat(pods("web")).hasSize(1);
    }

    @Test
    void aNewTemplateHasANewReplicaSet() {
        cluster.workloads().withPods().becomeReady();
        cluster.awaitQuiet();
        Set<String> before = pods("web").keySet();
        client.apps().deployments().inNamespace("default").withName("web").edit(deployment -> {
            deployment
                    .getSpec()
                    .getTemplate()
                    .getSpec()
                    .getContainers()
                    .getFirst()
                    .setImage("nginx:2");
            return deployment;
        });
        cluster.awaitQuiet();
        assertThat(client.apps().replicaSets().inNamespace("default").list().getItems())
                .extracting(set -> set.getSpec().getReplicas())
                .containsExactlyInAnyOrder(0, 3);
        assertThat(pods("web").keySet()).hasSize(3).doesNotContainAnyElementsOf(before);
        assertThat(pods("web").values())
                .allMatch(pod ->
                        pod.getSpec().getContainers().getFirst().getImage().equals("nginx:2"));
    }

    @Test
    void podsAreMadeAgainAndDeletedWithTheirOwners() {
        cluster.workloads().withPods().becomeReady();
        cluster.awaitQuiet();
        Pod first = pods("set").get("web-0");
        client.resource(first).delete();
        cluster.awaitQuiet();
        assertThat(pods("set").get("web-0").getMetadata().getUid())
                .isNotEqualTo(first.getMetadata().getUid());
        client.resource(get(Deployment.class)).delete();
        client.resource(get(StatefulSet.class)).delete();
        cluster.awaitQuiet();
        assertThat(pods("web")).isEmpty();
        assertThat(pods("set")).isEmpty();
        assertThat(pods("daemon")).hasSize(1);
    }

    @Test
    void thePodOfAJobSucceeds() {
        cluster.workloads().withPods().becomeReady();
        cluster.awaitQuiet();
        Pod pod = client.pods()
                .inNamespace("default")
                .withLabel("batch.kubernetes.io/job-name", "web")
                .list()
                .getItems()
                .getFirst();
        assertThat(pod.getStatus().getPhase()).isEqualTo("Succeeded");
    }

    @Test
    void aServiceHasTheAddressesOfItsPods() {
        cluster.workloads().withPods().becomeReady();
        cluster.awaitQuiet();
        client.resource(new ServiceBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("front")
                        .endMetadata()
                        .withNewSpec()
                        .addToSelector("app", "web")
                        .addNewPort()
                        .withPort(80)
                        .withNewTargetPort(8080)
                        .endPort()
                        .endSpec()
                        .build())
                .create();
        cluster.awaitQuiet();
        EndpointSlice slice = client.discovery()
                .v1()
                .endpointSlices()
                .inNamespace("default")
                .withLabel("kubernetes.io/service-name", "front")
                .list()
                .getItems()
                .getFirst();
        assertThat(slice.getPorts().getFirst().getPort()).isEqualTo(8080);
        assertThat(slice.getEndpoints())
                .hasSize(3)
                .allMatch(endpoint -> endpoint.getConditions().getReady());
        client.apps().deployments().inNamespace("default").withName("web").scale(0);
        cluster.awaitQuiet();
        assertThat(client.resource(slice).get().getEndpoints()).isNullOrEmpty();
    }
}
