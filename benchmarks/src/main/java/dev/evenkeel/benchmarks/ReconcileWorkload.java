package dev.evenkeel.benchmarks;

import static dev.evenkeel.benchmarks.Lines.check;

import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.controller.cache.Cached;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Whole controllers over HTTP, with a server in another process: how many objects they reconcile in a second when they
 * start, and how long after a change of one object it is reconciled. Asserted: each object was reconciled, and each change
 * was seen.
 */
final class ReconcileWorkload implements ControllerSuite.Workload {
    private static final int OBJECTS = 100_000;
    private static final String PEER = "JOSDK 5.2.3";

    /** What a reconciler is told. Reading the stamp is left to whom it matters: ours looks for it in the text. */
    @FunctionalInterface
    interface Told {
        void reconciled(Supplier<String> stamp);
    }

    /** A controller that runs. */
    interface Started extends AutoCloseable {
        @Override
        void close();
    }

    /** Starts a controller with so many workers. */
    @FunctionalInterface
    private interface Runner {
        Started start(URI server, int workers, Told told);
    }

    @Override
    public void run(Lines lines) throws Exception {
        try (FixtureServer server = new FixtureServer(OBJECTS)) {
            double _ = perSecond(server, ReconcileWorkload::evenkeel, 8, 0); // compiles
            for (int workers : new int[] {1, 8, 64, 1_000}) {
                String workload = "controller: empty reconciliations, " + workers + " workers";
                double ours = best(server, ReconcileWorkload::evenkeel, workers);
                if (workers == 8) { // a start of the peer takes much longer than what is measured
                    double theirs = perSecond(server, ReconcileWorkload::josdk, workers, 0);
                    lines.both(workload, Unit.PER_SECOND, ours, theirs, PEER);
                } else {
                    lines.ours(workload, Unit.PER_SECOND, ours);
                }
            }
            lines.elsewhere(
                    "Go: 135,000/s and 138,000/s with 1 and 8 workers, FIFO; 79,000 and 129,000 with priorities");
            for (int workers : new int[] {64, 1_000}) {
                String workload = "controller: reconciliations of 1 ms, " + workers + " workers";
                double ours = perSecond(server, ReconcileWorkload::evenkeel, workers, 1);
                if (workers == 64) {
                    double theirs = perSecond(server, ReconcileWorkload::josdk, workers, 1);
                    lines.both(workload, Unit.PER_SECOND, ours, theirs, PEER);
                } else {
                    lines.ours(workload, Unit.PER_SECOND, ours);
                }
            }
            lines.elsewhere("Go: 39,000/s with 64 workers of 1 ms");
            latency(lines, server);
        }
    }

    private static double best(FixtureServer server, Runner runner, int workers) throws Exception {
        return Math.max(perSecond(server, runner, workers, 0), perSecond(server, runner, workers, 0));
    }

    /** From the first reconciliation to the last of the objects that are there. */
    private static double perSecond(FixtureServer server, Runner runner, int workers, int millis) throws Exception {
        AtomicLong first = new AtomicLong();
        AtomicInteger left = new AtomicInteger(OBJECTS);
        CountDownLatch end = new CountDownLatch(1);
        Told told = stamp -> {
            if (first.get() == 0) {
                first.compareAndSet(0, System.nanoTime());
            }
            if (millis > 0) {
                LockSupport.parkNanos(millis * 1_000_000L);
            }
            if (left.decrementAndGet() == 0) {
                end.countDown();
            }
        };
        try (Started _ = runner.start(server.url(), workers, told)) {
            check(end.await(5, TimeUnit.MINUTES), "every object is reconciled");
            return OBJECTS / ((System.nanoTime() - first.get()) / 1e9);
        }
    }

    /**
     * How long after a change it is reconciled, by a controller in a process of its own, with the collector for those who
     * want to be told soon; see docs/controllers.md.
     */
    private static void latency(Lines lines, FixtureServer server) throws Exception {
        int seconds = lines.quick() ? 5 : 10;
        try (FollowerProcess follower = new FollowerProcess(server, OBJECTS)) {
            for (int i = 0; i < 2; i++) {
                long[] _ = follower.follow(5_000, 10); // compiles
            }
            for (int rate : new int[] {100, 1_000, 5_000}) {
                String workload = "controller: event to reconcile at " + rate + "/s";
                lines.percentiles(workload, follower.follow(rate, seconds), new long[0], "");
            }
            lines.elsewhere("Go, p50/p99 in µs: 365/1,652 at 100/s, 210/598 at 1,000/s, 357/2,192 at 5,000/s");
            String beside = "controller: at 1000/s beside " + FollowerProcess.READERS + " readers";
            lines.percentiles(beside, follower.followBesideReaders(1_000, seconds), new long[0], "");
        }
    }

    /** Ours. */
    record Running(Manager manager, KubernetesClient client) implements Started {
        Cache<ConfigMap> cache() {
            return manager.informer(Kind.of(ConfigMap.class)).cache();
        }

        @Override
        public void close() {
            manager.close();
            client.close();
        }
    }

    static Running evenkeel(URI server, int workers, Told told) {
        KubernetesClient client = KubernetesClient.connect(Connection.to(server).build());
        Manager manager = Manager.of(client);
        Kind<ConfigMap> kind = Kind.of(ConfigMap.class);
        manager.add(Controller.of(kind, (Reconciliation<ConfigMap> reconciliation) -> {
                    Cached<ConfigMap> object = reconciliation
                            .cache(kind)
                            .get(reconciliation.request().key())
                            .orElseThrow();
                    told.reconciled(() -> object.annotation(Fixture.STAMP).orElse("0"));
                    return Result.done();
                })
                .workers(workers)
                .every(Duration.ZERO));
        manager.start();
        return new Running(manager, client);
    }

    /** JOSDK, with as many threads, told of each change. */
    private static Started josdk(URI server, int workers, Told told) {
        var client = new KubernetesClientBuilder()
                .withConfig(SyncWorkload.config(server))
                .build();
        Operator operator = new Operator(options -> options.withKubernetesClient(client)
                .withConcurrentReconciliationThreads(workers)
                .checkingCRDAndValidateLocalModel(false)
                .withCloseClientOnStop(true));
        operator.register(new JosdkReconciler(told), options -> options.withGenerationAware(false));
        operator.start();
        return operator::stop;
    }

    @ControllerConfiguration
    private static final class JosdkReconciler implements Reconciler<ConfigMap> {
        private final Told told;

        JosdkReconciler(Told told) {
            this.told = told;
        }

        @Override
        public UpdateControl<ConfigMap> reconcile(ConfigMap object, Context<ConfigMap> context) {
            told.reconciled(() -> object.getMetadata().getAnnotations().getOrDefault(Fixture.STAMP, "0"));
            return UpdateControl.noUpdate();
        }
    }
}
