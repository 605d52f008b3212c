package dev.evenkeel.cli;

import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Result;
import dev.evenkeel.reconcile.ResourceReconciler;
import dev.evenkeel.reconcile.flow.SyncReconciler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LoadBalancerIngressBuilder;
import io.fabric8.kubernetes.api.model.LoadBalancerStatusBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceStatusBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatusBuilder;
import java.util.List;
import java.util.function.Consumer;

/** Simulates the cluster's part for workloads: pods are ready at once, and load balancers have an address. */
final class SimulatedCluster {
    /** An address reserved for documentation. */
    private static final String ADDRESS = "203.0.113.7";

    private SimulatedCluster() {}

    static List<Controller<?>> controllers() {
        return List.of(
                playing(Deployment.class, SimulatedCluster::deployment),
                playing(StatefulSet.class, SimulatedCluster::statefulSet),
                playing(Service.class, SimulatedCluster::service));
    }

    private static <T extends HasMetadata> Controller<T> playing(Class<T> type, Consumer<T> play) {
        return ResourceReconciler.of(type)
                .name("Played" + type.getSimpleName())
                .reconciler(SyncReconciler.<T>of((reconciliation, object) -> {
                    play.accept(object);
                    return Result.done();
                }))
                .build()
                .controller();
    }

    private static void deployment(Deployment object) {
        object.setStatus(new DeploymentStatusBuilder()
                .withObservedGeneration(object.getMetadata().getGeneration())
                .withReplicas(object.getSpec().getReplicas())
                .withReadyReplicas(object.getSpec().getReplicas())
                .build());
    }

    private static void statefulSet(StatefulSet object) {
        object.setStatus(new StatefulSetStatusBuilder()
                .withObservedGeneration(object.getMetadata().getGeneration())
                .withReplicas(object.getSpec().getReplicas())
                .withReadyReplicas(object.getSpec().getReplicas())
                .build());
    }

    private static void service(Service object) {
        if (!"LoadBalancer".equals(object.getSpec().getType())) {
            return;
        }
        object.setStatus(new ServiceStatusBuilder()
                .withLoadBalancer(new LoadBalancerStatusBuilder()
                        .withIngress(
                                new LoadBalancerIngressBuilder().withIp(ADDRESS).build())
                        .build())
                .build());
    }
}
