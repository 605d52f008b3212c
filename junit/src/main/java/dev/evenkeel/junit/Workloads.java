package dev.evenkeel.junit;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Gives workloads the status that controllers and nodes would give them: Deployments, StatefulSets, DaemonSets, Jobs,
 * Pods, PersistentVolumeClaims, and Services of type LoadBalancer. No pods are made for workloads, and nothing runs.
 *
 * <p>Without it, or before its first call, they stay without a status, as on a cluster where nothing can be scheduled.
 *
 * <p>Thread-safe.
 */
public final class Workloads {
    private record Waiting(Instant due, Runnable task) {}

    private final KubernetesClient client;
    private final TestClock clock;
    private final List<Waiting> waiting = new ArrayList<>();
    private Duration delay = Duration.ZERO;
    private boolean started;

    Workloads(KubernetesClient client, TestClock clock) {
        this.client = client;
        this.clock = clock;
    }

    /** Makes workloads ready at once, now and after each change of their spec; Jobs complete. */
    public void becomeReady() {
        becomeReady(Duration.ZERO);
    }

    /** Makes workloads ready when the clock of the cluster has been advanced by a time after each change of their spec. */
    public void becomeReady(Duration after) {
        boolean first;
        synchronized (this) {
            delay = after;
            first = !started;
            started = true;
        }
        if (first) {
            clock.onAdvance(this::runDue);
            inform(Deployment.class, WorkloadStatus::of);
            inform(StatefulSet.class, WorkloadStatus::of);
            inform(DaemonSet.class, WorkloadStatus::of);
            inform(Job.class, WorkloadStatus::of);
            inform(Pod.class, WorkloadStatus::of);
            inform(PersistentVolumeClaim.class, WorkloadStatus::of);
            inform(Service.class, WorkloadStatus::of);
        }
    }

    private <T extends HasMetadata> void inform(Class<T> type, BiFunction<T, Instant, T> ready) {
        // ends with the client, which ends with the cluster
        var unused = client.resources(type).inAnyNamespace().inform(new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object) {
                later(object, ready);
            }

            @Override
            public void onUpdate(T old, T object) {
                later(object, ready);
            }

            @Override
            public void onDelete(T object, boolean unknown) {}
        });
    }

    private <T extends HasMetadata> void later(T object, BiFunction<T, Instant, T> ready) {
        Runnable task = () -> write(object, ready);
        synchronized (this) {
            if (!delay.isZero()) {
                waiting.add(new Waiting(clock.instant().plus(delay), task));
                return;
            }
        }
        task.run();
    }

    private void runDue() {
        Instant now = clock.instant();
        List<Runnable> due = new ArrayList<>();
        synchronized (this) {
            for (Iterator<Waiting> each = waiting.iterator(); each.hasNext(); ) {
                Waiting next = each.next();
                if (!next.due.isAfter(now)) {
                    each.remove();
                    due.add(next.task);
                }
            }
        }
        due.forEach(Runnable::run);
    }

    /** Writes the status of the object as it was seen, unless it has changed since: the change is seen, too. */
    private <T extends HasMetadata> void write(T object, BiFunction<T, Instant, T> ready) {
        T next = ready.apply(object, clock.instant());
        if (!next.equals(object)) {
            try {
                var unused = client.resource(next).updateStatus();
            } catch (KubernetesClientException e) {
                if (e.getCode() != 409 && e.getCode() != 404) {
                    throw e;
                }
            }
        }
    }
}
