package dev.evenkeel.load.internal.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConnectionException;
import dev.evenkeel.client.ForwardingClient;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.simulation.VirtualScheduler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In virtual time, on the engine. */
class WorkloadsTest {
    private static final ObjectKey KEY = ObjectKey.of("default", "a");
    private static final String PODS = "selector: {matchLabels: {app: a}},"
            + " template: {metadata: {labels: {app: a}}, spec: {containers: [{name: c, image: i}]}}";

    private final VirtualScheduler scheduler = new VirtualScheduler(1, Instant.parse("2026-01-01T00:00:00Z"));
    private final Engine engine =
            Engine.builder().clock(scheduler.clock()).executor(Runnable::run).build();
    private final Client client = engine.client();

    @AfterEach
    void close() {
        engine.close();
    }

    private <T extends HasMetadata> void create(Class<T> type, String version, String spec) {
        String yaml = "{apiVersion: %s, kind: %s, metadata: {namespace: default, name: a}, spec: {%s}}"
                .formatted(version, HasMetadata.getKind(type), spec);
        T unused = client.create(ModelCodec.convert(Manifests.parse(yaml).getFirst(), type));
    }

    private <T extends HasMetadata> T get(Class<T> type) {
        return client.get(type, KEY);
    }

    private Workloads start(Client through, Duration delay) {
        Workloads workloads = new Workloads(through, scheduler, delay);
        workloads.start();
        scheduler.run();
        return workloads;
    }

    @Test
    void workloadsBecomeReadyAfterADelay() {
        create(Deployment.class, "apps/v1", "replicas: 3, " + PODS);
        create(ReplicaSet.class, "apps/v1", "replicas: 2, " + PODS);
        create(StatefulSet.class, "apps/v1", "replicas: 4, serviceName: a, " + PODS);
        create(DaemonSet.class, "apps/v1", PODS);
        create(Job.class, "batch/v1", "template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}");
        create(
                PersistentVolumeClaim.class,
                "v1",
                "accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}");
        create(Service.class, "v1", "type: LoadBalancer, ports: [{port: 80}]");
        try (Workloads workloads = start(client, Duration.ofSeconds(10))) {
            assertThat(workloads.ahead()).isEqualTo(7);
            scheduler.advance(Duration.ofSeconds(9));
            assertThat(get(Deployment.class).getStatus().getReadyReplicas()).isNull();

            scheduler.advance(Duration.ofSeconds(2));
            assertThat(workloads.ahead()).isZero();
            assertThat(get(Deployment.class).getStatus().getReadyReplicas()).isEqualTo(3);
            assertThat(get(ReplicaSet.class).getStatus().getReadyReplicas()).isEqualTo(2);
            assertThat(get(StatefulSet.class).getStatus().getReadyReplicas()).isEqualTo(4);
            assertThat(get(DaemonSet.class).getStatus().getNumberReady()).isEqualTo(1);
            assertThat(get(Job.class).getStatus().getSucceeded()).isEqualTo(1);
            assertThat(get(PersistentVolumeClaim.class).getStatus().getPhase()).isEqualTo("Bound");
            assertThat(get(Service.class).getStatus().getLoadBalancer().getIngress())
                    .hasSize(1);
        }
    }

    @Test
    void afterAChangeOfItsSpecAWorkloadBecomesReadyAgain() {
        create(Deployment.class, "apps/v1", "replicas: 3, " + PODS);
        try (Workloads workloads = start(client, Duration.ofSeconds(1))) {
            scheduler.advance(Duration.ofSeconds(2));
            Deployment ready = get(Deployment.class);
            scheduler.advance(Duration.ofMinutes(10));
            assertThat(get(Deployment.class)).as("no writes at rest").isEqualTo(ready);

            Deployment scaled = client.patch(
                    Kind.of(Deployment.class), KEY, Patch.merge("{\"spec\":{\"replicas\":5}}"), WriteOptions.DEFAULT);
            assertThat(scaled.getStatus().getReadyReplicas()).isEqualTo(3);
            scheduler.advance(Duration.ofSeconds(2));
            assertThat(get(Deployment.class).getStatus().getReadyReplicas()).isEqualTo(5);
            assertThat(workloads.ahead()).isZero();
        }
    }

    @Test
    void aWriteThatFailsIsRepeated() {
        create(Deployment.class, "apps/v1", "replicas: 3, " + PODS);
        AtomicInteger failures = new AtomicInteger();
        Client failing = new ForwardingClient(client) {
            @Override
            public <T extends HasMetadata> T updateStatus(Kind<T> kind, T object, WriteOptions options) {
                if (failures.incrementAndGet() <= 3) {
                    throw new ConnectionException("the connection was lost", new IOException());
                }
                return super.updateStatus(kind, object, options);
            }
        };
        try (Workloads workloads = start(failing, Duration.ZERO)) {
            scheduler.advance(Duration.ofMinutes(1));
            assertThat(failures).hasValue(4);
            assertThat(get(Deployment.class).getStatus().getReadyReplicas()).isEqualTo(3);
            assertThat(workloads.ahead()).isZero();
        }
    }
}
