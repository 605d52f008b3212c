package dev.evenkeel.simulation.internal.workload;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;
import io.fabric8.kubernetes.api.model.apps.DeploymentConditionBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
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
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The status of workloads that are ready. Returns an object unchanged if it is. */
public final class WorkloadStatus {
    private static final String BALANCER_ADDRESS = "192.0.2.10";

    /** The kinds whose objects get a status; pods get theirs by {@link PodReport}. */
    public static final List<OfKind<?>> KINDS = List.of(
            new OfKind<>(Deployment.class, WorkloadStatus::of),
            new OfKind<>(StatefulSet.class, WorkloadStatus::of),
            new OfKind<>(DaemonSet.class, WorkloadStatus::of),
            new OfKind<>(Job.class, WorkloadStatus::of),
            new OfKind<>(ReplicaSet.class, WorkloadStatus::of),
            new OfKind<>(PersistentVolumeClaim.class, WorkloadStatus::of),
            new OfKind<>(Service.class, WorkloadStatus::of));

    /**
     * The status of the objects of a kind.
     *
     * @param ready returns an object with the status that it has when it is ready, or the same object if it is
     */
    public record OfKind<T extends HasMetadata>(Class<T> type, BiFunction<T, Instant, T> ready) {}

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

    /** Returns it with the status that it has when it is ready. */
    private static Deployment of(Deployment deployment, Instant now) {
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

    /** Returns it with the status that it has when it is ready. */
    private static ReplicaSet of(ReplicaSet set, Instant now) {
        Long generation = set.getMetadata().getGeneration();
        if (set.getStatus() != null && observed(generation, set.getStatus().getObservedGeneration())) {
            return set;
        }
        int replicas = orOne(set.getSpec().getReplicas());
        return new ReplicaSetBuilder(set)
                .withNewStatus()
                .withObservedGeneration(generation)
                .withReplicas(replicas)
                .withFullyLabeledReplicas(replicas)
                .withReadyReplicas(replicas)
                .withAvailableReplicas(replicas)
                .endStatus()
                .build();
    }

    /** Returns it with the status that it has when it is ready. */
    private static StatefulSet of(StatefulSet set, Instant now) {
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

    /** Returns it with the status that it has when it is ready, in a cluster with one node. */
    private static DaemonSet of(DaemonSet set, Instant now) {
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

    /** Returns it with the status that it has when it is ready. */
    private static Job of(Job job, Instant now) {
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

    /** Returns it with the status that it has when it is ready. */
    private static PersistentVolumeClaim of(PersistentVolumeClaim claim, Instant now) {
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

    /** Returns it with the status that it has when it is ready. */
    private static Service of(Service service, Instant now) {
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
