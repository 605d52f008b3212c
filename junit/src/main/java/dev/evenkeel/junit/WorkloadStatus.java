package dev.evenkeel.junit;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;
import io.fabric8.kubernetes.api.model.apps.DeploymentConditionBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.batch.v1.JobConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The status of workloads that are ready. Returns an object unchanged if it is. */
final class WorkloadStatus {
    private static final String POD_ADDRESS = "10.244.0.2";
    private static final String BALANCER_ADDRESS = "192.0.2.10";

    private WorkloadStatus() {}

    private static String time(Instant now) {
        return now.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static int orOne(@Nullable Integer value) {
        return value == null ? 1 : value;
    }

    private static boolean observed(Long generation, @Nullable Long observed) {
        return generation.equals(observed);
    }

    static Deployment of(Deployment deployment, Instant now) {
        Long generation = deployment.getMetadata().getGeneration();
        if (deployment.getStatus() != null
                && observed(generation, deployment.getStatus().getObservedGeneration())) {
            return deployment;
        }
        int replicas = orOne(deployment.getSpec().getReplicas());
        return new DeploymentBuilder(deployment)
                .withNewStatus()
                .withObservedGeneration(generation)
                .withReplicas(replicas)
                .withUpdatedReplicas(replicas)
                .withReadyReplicas(replicas)
                .withAvailableReplicas(replicas)
                .withConditions(
                        condition("Available", "MinimumReplicasAvailable", "Deployment has minimum availability.", now),
                        condition(
                                "Progressing",
                                "NewReplicaSetAvailable",
                                "ReplicaSet has successfully progressed.",
                                now))
                .endStatus()
                .build();
    }

    private static DeploymentCondition condition(String type, String reason, String message, Instant now) {
        return new DeploymentConditionBuilder()
                .withType(type)
                .withStatus("True")
                .withReason(reason)
                .withMessage(message)
                .withLastUpdateTime(time(now))
                .withLastTransitionTime(time(now))
                .build();
    }

    static StatefulSet of(StatefulSet set, Instant now) {
        Long generation = set.getMetadata().getGeneration();
        if (set.getStatus() != null && observed(generation, set.getStatus().getObservedGeneration())) {
            return set;
        }
        int replicas = orOne(set.getSpec().getReplicas());
        String revision = set.getMetadata().getName() + "-" + generation;
        return new StatefulSetBuilder(set)
                .withNewStatus()
                .withObservedGeneration(generation)
                .withReplicas(replicas)
                .withCurrentReplicas(replicas)
                .withUpdatedReplicas(replicas)
                .withReadyReplicas(replicas)
                .withAvailableReplicas(replicas)
                .withCurrentRevision(revision)
                .withUpdateRevision(revision)
                .withCollisionCount(0)
                .endStatus()
                .build();
    }

    /** Of a cluster with one node. */
    static DaemonSet of(DaemonSet set, Instant now) {
        Long generation = set.getMetadata().getGeneration();
        if (set.getStatus() != null && observed(generation, set.getStatus().getObservedGeneration())) {
            return set;
        }
        return new DaemonSetBuilder(set)
                .withNewStatus()
                .withObservedGeneration(generation)
                .withDesiredNumberScheduled(1)
                .withCurrentNumberScheduled(1)
                .withUpdatedNumberScheduled(1)
                .withNumberReady(1)
                .withNumberAvailable(1)
                .withNumberMisscheduled(0)
                .endStatus()
                .build();
    }

    static Job of(Job job, Instant now) {
        boolean complete = job.getStatus() != null && job.getStatus().getCompletionTime() != null;
        if (complete || Boolean.TRUE.equals(job.getSpec().getSuspend())) {
            return job;
        }
        return new JobBuilder(job)
                .withNewStatus()
                .withStartTime(time(now))
                .withCompletionTime(time(now))
                .withSucceeded(orOne(job.getSpec().getCompletions()))
                .withReady(0)
                .withTerminating(0)
                .withNewUncountedTerminatedPods()
                .endUncountedTerminatedPods()
                .withConditions(met("SuccessCriteriaMet", now), met("Complete", now))
                .endStatus()
                .build();
    }

    private static JobCondition met(String type, Instant now) {
        return new JobConditionBuilder()
                .withType(type)
                .withStatus("True")
                .withReason("CompletionsReached")
                .withMessage("Reached expected number of succeeded pods")
                .withLastProbeTime(time(now))
                .withLastTransitionTime(time(now))
                .build();
    }

    static Pod of(Pod pod, Instant now) {
        if (pod.isMarkedForDeletion()
                || pod.getStatus() == null
                || !"Pending".equals(pod.getStatus().getPhase())) {
            return pod;
        }
        return new PodBuilder(pod)
                .editStatus()
                .withPhase("Running")
                .withStartTime(time(now))
                .withPodIP(POD_ADDRESS)
                .withPodIPs(List.of(new io.fabric8.kubernetes.api.model.PodIP(POD_ADDRESS)))
                .withConditions(Stream.of("PodScheduled", "Initialized", "ContainersReady", "Ready")
                        .map(type -> condition(type, now))
                        .toList())
                .withContainerStatuses(pod.getSpec().getContainers().stream()
                        .map(container -> running(container.getName(), container.getImage(), now))
                        .toList())
                .endStatus()
                .build();
    }

    private static PodCondition condition(String type, Instant now) {
        return new PodConditionBuilder()
                .withType(type)
                .withStatus("True")
                .withLastTransitionTime(time(now))
                .build();
    }

    private static ContainerStatus running(String name, String image, Instant now) {
        return new ContainerStatusBuilder()
                .withName(name)
                .withImage(image)
                .withImageID("")
                .withReady(true)
                .withStarted(true)
                .withRestartCount(0)
                .withNewState()
                .withNewRunning(time(now))
                .endState()
                .build();
    }

    static PersistentVolumeClaim of(PersistentVolumeClaim claim, Instant now) {
        if (claim.getStatus() != null && "Bound".equals(claim.getStatus().getPhase())) {
            return claim;
        }
        return new PersistentVolumeClaimBuilder(claim)
                .withNewStatus()
                .withPhase("Bound")
                .withAccessModes(claim.getSpec().getAccessModes())
                .withCapacity(claim.getSpec().getResources().getRequests())
                .endStatus()
                .build();
    }

    static Service of(Service service, Instant now) {
        boolean balanced = Objects.equals(service.getSpec().getType(), "LoadBalancer");
        boolean given = service.getStatus() != null
                && service.getStatus().getLoadBalancer() != null
                && !service.getStatus().getLoadBalancer().getIngress().isEmpty();
        if (!balanced || given) {
            return service;
        }
        return new ServiceBuilder(service)
                .withNewStatus()
                .withNewLoadBalancer()
                .addNewIngress()
                .withIp(BALANCER_ADDRESS)
                .withIpMode("VIP")
                .endIngress()
                .endLoadBalancer()
                .endStatus()
                .build();
    }
}
