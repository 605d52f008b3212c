package dev.evenkeel.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.time.Duration;
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
}
