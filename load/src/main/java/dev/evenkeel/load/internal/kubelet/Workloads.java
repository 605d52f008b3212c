package dev.evenkeel.load.internal.kubelet;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Backoff;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.cache.Informer;
import dev.evenkeel.controller.cache.InformerOptions;
import dev.evenkeel.simulation.internal.workload.WorkloadStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives Deployments, ReplicaSets, StatefulSets, DaemonSets, Jobs, PersistentVolumeClaims, and Services of type LoadBalancer
 * the status that they have when they are ready, after a delay: for controllers that wait for it. It creates no pods for
 * them. Each change of a spec makes them ready again after the delay; ready objects are not written.
 *
 * <p>Thread-safe.
 */
public final class Workloads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Workloads.class);
    private static final Backoff RETRY = Backoff.exponential(Duration.ofMillis(50), Duration.ofSeconds(10));
    private static final WriteOptions MANAGER = WriteOptions.DEFAULT.fieldManager("kube-controller-manager");

    private final Client client;
    private final Scheduler scheduler;
    private final Duration delay;
    private final List<? extends Reporter<?>> reporters;
    // with the lock
    private int ahead;
    private boolean closed;

    /** @param delay the time between a change and the status */
    public Workloads(Client client, Scheduler scheduler, Duration delay) {
        this.client = client;
        this.scheduler = scheduler;
        this.delay = delay;
        reporters = WorkloadStatus.KINDS.stream().map(this::reporter).toList();
    }

    private <T extends HasMetadata> Reporter<T> reporter(WorkloadStatus.OfKind<T> kind) {
        return new Reporter<>(kind);
    }

    /** Begins to watch; returns at once. */
    public void start() {
        reporters.forEach(Reporter::start);
    }

    /** Returns the number of objects that get a status soon. */
    public synchronized int ahead() {
        return ahead;
    }

    private synchronized boolean add(int change) {
        if (!closed) {
            ahead += change;
        }
        return !closed;
    }

    /** Ends it: objects stay as they are. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            ahead = 0;
        }
        reporters.forEach(Reporter::close);
    }

    /** Gives the objects of one kind their status. */
    private final class Reporter<T extends HasMetadata> {
        private final WorkloadStatus.OfKind<T> kind;
        private final Informer<T> informer;
        private final Set<ObjectKey> planned = new HashSet<>();

        Reporter(WorkloadStatus.OfKind<T> kind) {
            this.kind = kind;
            informer =
                    new Informer<>(client, Kind.of(kind.type()), ListOptions.ALL, scheduler, InformerOptions.DEFAULT);
        }

        void start() {
            Informer.Registration unused = informer.handle("workloads", change -> {
                if (!(change instanceof Informer.Change.Deleted)
                        && !ready(change.object().object())) {
                    plan(change.key());
                }
            });
            informer.start();
        }

        private T next(T object) {
            return kind.ready().apply(object, scheduler.clock().instant());
        }

        private boolean ready(T object) {
            return next(object).equals(object);
        }

        private void plan(ObjectKey key) {
            boolean first;
            synchronized (planned) {
                first = planned.add(key);
            }
            if (first && add(1)) {
                later(key, delay, 0);
            }
        }

        private void later(ObjectKey key, Duration time, int failures) {
            Scheduler.Timer unused = scheduler.schedule(time, () -> {
                Scheduler.Job unusedJob = scheduler.execute("workloads", () -> report(key, failures));
            });
        }

        private void report(ObjectKey key, int failures) {
            synchronized (planned) {
                // a change from now on plans another report
                planned.remove(key);
            }
            try {
                informer.cache().find(key).ifPresent(object -> {
                    T next = next(object);
                    if (!next.equals(object)) {
                        T unused = client.updateStatus(informer.kind(), next, MANAGER);
                    }
                });
            } catch (RuntimeException e) {
                if (!isOutdated(e)) {
                    again(key, failures, e);
                    return;
                }
            }
            boolean unused = add(-1);
        }

        /** Returns true if the object is gone, or was changed: the event is on the way, and plans what is needed. */
        private static boolean isOutdated(RuntimeException failure) {
            return failure instanceof ApiException refused
                    && (refused.status().code() == 404 || refused.status().code() == 409);
        }

        private void again(ObjectKey key, int failures, RuntimeException failure) {
            if (failures == 0) {
                LOG.atWarn()
                        .addKeyValue("kind", kind.type().getSimpleName())
                        .addKeyValue("object", key)
                        .setCause(failure)
                        .log("a workload can't be made ready; trying again");
            }
            boolean first;
            synchronized (planned) {
                first = planned.add(key);
            }
            if (first && add(0)) {
                later(key, RETRY.delay(failures + 1, scheduler.random()), failures + 1);
            } else {
                // a change has planned another report
                boolean unused = add(-1);
            }
        }

        void close() {
            informer.close();
        }
    }
}
