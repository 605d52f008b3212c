package dev.evenkeel.junit;

import dev.evenkeel.client.Patch;
import dev.evenkeel.simulation.internal.workload.PodReport;
import dev.evenkeel.simulation.internal.workload.WorkloadStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Gives workloads the status that controllers and nodes would give them: Deployments, StatefulSets, DaemonSets, Jobs,
 * ReplicaSets, Pods, PersistentVolumeClaims, and Services of type LoadBalancer. Nothing runs. With {@link #withPods} there
 * are ReplicaSets and Pods for them, and EndpointSlices, too.
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
    private final AtomicInteger addresses = new AtomicInteger(1);
    private boolean started;
    private boolean pods;

    Workloads(KubernetesClient client, TestClock clock) {
        this.client = client;
        this.clock = clock;
    }

    /**
     * Makes what controllers make, now and after each change: ReplicaSets of Deployments, Pods of ReplicaSets, StatefulSets,
     * DaemonSets (for one node) and Jobs, and EndpointSlices of Services with a selector. They have fixed names.
     */
    public Workloads withPods() {
        boolean first;
        synchronized (this) {
            first = !pods;
            pods = true;
        }
        if (first) {
            new WorkloadPods(client).start();
        }
        return this;
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
            WorkloadStatus.KINDS.forEach(this::inform);
            inform(Pod.class, this::report);
        }
    }

    private <T extends HasMetadata> void inform(WorkloadStatus.OfKind<T> kind) {
        inform(kind.type(), object -> write(object, kind.ready()));
    }

    private <T extends HasMetadata> void inform(Class<T> type, Consumer<T> ready) {
        // ends with the client, which ends with the cluster
        var unused = client.resources(type).inAnyNamespace().inform(new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object) {
                later(() -> ready.accept(object));
            }

            @Override
            public void onUpdate(T old, T object) {
                later(() -> ready.accept(object));
            }

            @Override
            public void onDelete(T object, boolean unknown) {}
        });
    }

    private void later(Runnable task) {
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
            unlessChanged(() -> {
                var unused = client.resource(next).updateStatus();
            });
        }
    }

    private void report(Pod pod) {
        String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        if (pod.isMarkedForDeletion() || (phase != null && !phase.equals("Pending"))) {
            return;
        }
        PodReport report = new PodReport(pod, clock.instant());
        boolean ends = pod.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> owner.getKind().equals("Job"));
        Patch patch = ends ? report.succeeded() : report.running(address(), "", true);
        unlessChanged(() -> {
            var unused = client.resource(pod)
                    .subresource("status")
                    .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), patch.text());
        });
    }

    private String address() {
        int number = addresses.incrementAndGet();
        return "10.244." + number / 256 + "." + number % 256;
    }

    private static void unlessChanged(Runnable write) {
        try {
            write.run();
        } catch (KubernetesClientException e) {
            if (e.getCode() != 409 && e.getCode() != 404) {
                throw e;
            }
        }
    }
}
