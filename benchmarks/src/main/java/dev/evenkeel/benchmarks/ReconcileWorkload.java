package dev.evenkeel.benchmarks;

import static dev.evenkeel.benchmarks.ReportSection.check;

import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.cache.Cache;
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
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Whole controllers over HTTP, with a server in another process: reconciliations per second at the start, and the
 * latency from a change of one object to its reconciliation. Asserted: each object was reconciled, and each change was
 * seen.
 */
final class ReconcileWorkload implements ControllerSuite.Workload {
    private static final int OBJECTS = 100_000;
    private static final String PEER = "JOSDK 5.2.3";

    /** Receives the stamp of a reconciled object. Reading the stamp is lazy: ours searches the JSON text for it. */
    @FunctionalInterface
    interface Told {
        /** Records a reconciliation; returns true to have it retried. */
        boolean reconciled(Supplier<String> stamp);
    }

    /** The work of a reconciliation. */
    private enum Work {
        NOTHING {
            @Override
            void work() {}
        },
        ONE_MILLISECOND {
            @Override
            void work() {
                LockSupport.parkNanos(1_000_000);
            }
        },
        TEN_MILLISECONDS {
            @Override
            void work() {
                LockSupport.parkNanos(10_000_000);
            }
        },
        /** Busy for fifty microseconds of processor time. */
        FIFTY_MICROSECONDS {
            @Override
            void work() {
                long end = System.nanoTime() + 50_000;
                while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
            }
        };

        abstract void work();
    }

    /** A running controller. */
    interface Started extends AutoCloseable {
        @Override
        void close();
    }

    /** Starts a controller with a number of workers. */
    @FunctionalInterface
    private interface Runner {
        Started start(URI server, int workers, Told told);
    }

    @Override
    public void run(ReportSection section) throws Exception {
        try (FixtureServer server = new FixtureServer(OBJECTS)) {
            double _ = perSecond(server, ReconcileWorkload::evenkeel, 8, Work.NOTHING); // warm-up
            for (int workers : new int[] {1, 8, 64, 1_000}) {
                String workload = "controller: empty reconciliations, " + workers + " workers";
                double ours = best(server, ReconcileWorkload::evenkeel, workers);
                if (workers == 8) { // starting the peer takes much longer than the measurement
                    double theirs = perSecond(server, ReconcileWorkload::josdk, workers, Work.NOTHING);
                    section.both(workload, Unit.PER_SECOND, ours, theirs, PEER);
                } else {
                    section.ours(workload, Unit.PER_SECOND, ours);
                }
            }
            section.elsewhere(
                    "Go: 135,000/s and 138,000/s with 1 and 8 workers, FIFO; 79,000 and 129,000 with priorities");
            String one = "controller: reconciliations of 1 ms, ";
            section.both(
                    one + "64 workers",
                    Unit.PER_SECOND,
                    perSecond(server, ReconcileWorkload::evenkeel, 64, Work.ONE_MILLISECOND),
                    perSecond(server, ReconcileWorkload::josdk, 64, Work.ONE_MILLISECOND),
                    PEER);
            ours(section, server, one + "1000 workers", 1_000, Work.ONE_MILLISECOND);
            ours(section, server, "controller: reconciliations of 10 ms, 1000 workers", 1_000, Work.TEN_MILLISECONDS);
            section.elsewhere("Go: 39,000/s with 64 workers of 1 ms, 84,000/s with 1000 of 10 ms");
            ours(section, server, "controller: reconciliations of 50 µs of a processor", 8, Work.FIFTY_MICROSECONDS);
            AtomicInteger tries = new AtomicInteger();
            section.ours(
                    "controller: empty reconciliations, 1 of 100 retried",
                    Unit.PER_SECOND,
                    perSecond(
                            server,
                            ReconcileWorkload::evenkeel,
                            8,
                            Work.NOTHING,
                            () -> tries.incrementAndGet() % 100 == 0));
            latency(section, server);
        }
    }

    private static void ours(ReportSection section, FixtureServer server, String workload, int workers, Work work)
            throws Exception {
        section.ours(workload, Unit.PER_SECOND, perSecond(server, ReconcileWorkload::evenkeel, workers, work));
    }

    private static double best(FixtureServer server, Runner runner, int workers) throws Exception {
        return Math.max(
                perSecond(server, runner, workers, Work.NOTHING), perSecond(server, runner, workers, Work.NOTHING));
    }

    private static double perSecond(FixtureServer server, Runner runner, int workers, Work work) throws Exception {
        return perSecond(server, runner, workers, work, () -> false);
    }

    /**
     * Returns reconciliations per second, from the first to the last of the existing objects; those to be retried are
     * reconciled again.
     */
    private static double perSecond(FixtureServer server, Runner runner, int workers, Work work, BooleanSupplier again)
            throws Exception {
        AtomicLong first = new AtomicLong();
        AtomicInteger left = new AtomicInteger(OBJECTS);
        CountDownLatch end = new CountDownLatch(1);
        Told told = stamp -> {
            if (first.get() == 0) {
                first.compareAndSet(0, System.nanoTime());
            }
            work.work();
            if (again.getAsBoolean()) {
                return true;
            }
            if (left.decrementAndGet() == 0) {
                end.countDown();
            }
            return false;
        };
        try (Started _ = runner.start(server.url(), workers, told)) {
            check(end.await(5, TimeUnit.MINUTES), "every object is reconciled");
            return OBJECTS / ((System.nanoTime() - first.get()) / 1e9);
        }
    }

    /**
     * Measures the latency from a change to its reconciliation, by a controller in a process of its own, with the
     * garbage collector recommended for low latency; see docs/controllers.md.
     */
    private static void latency(ReportSection section, FixtureServer server) throws Exception {
        int seconds = section.quick() ? 5 : 10;
        long[] theirs;
        try (FollowerProcess follower = new FollowerProcess(server, OBJECTS, FollowerProcess.Who.JOSDK)) {
            long[] _ = follower.follow(5_000, 10); // warm-up
            theirs = follower.follow(1_000, seconds);
        }
        try (FollowerProcess follower = new FollowerProcess(server, OBJECTS, FollowerProcess.Who.EVENKEEL)) {
            for (int i = 0; i < 2; i++) {
                long[] _ = follower.follow(5_000, 10); // warm-up
            }
            for (int rate : new int[] {100, 1_000, 5_000}) {
                String workload = "controller: event to reconcile at " + rate + "/s";
                boolean both = rate == 1_000;
                section.percentiles(
                        workload, follower.follow(rate, seconds), both ? theirs : new long[0], both ? PEER : "");
            }
            section.elsewhere("Go, p50/p99 in µs: 365/1,652 at 100/s, 210/598 at 1,000/s, 357/2,192 at 5,000/s");
            String contended = "controller: at 1000/s with " + FollowerProcess.READERS + " readers";
            section.percentiles(contended, follower.followWithReaders(1_000, seconds), new long[0], "");
        }
    }

    /** A controller of Evenkeel. */
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
                    Cache.Entry<ConfigMap> object =
                            reconciliation.cache(kind).get(reconciliation.key()).orElseThrow();
                    boolean again = told.reconciled(
                            () -> object.annotation(Fixture.STAMP).orElse("0"));
                    return again ? Result.retry() : Result.done();
                })
                .workers(workers)
                .resyncInterval(Duration.ZERO));
        manager.start();
        return new Running(manager, client);
    }

    /** Starts a controller of JOSDK with as many threads. */
    static Started josdk(URI server, int workers, Told told) {
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
            boolean _ =
                    told.reconciled(() -> object.getMetadata().getAnnotations().getOrDefault(Fixture.STAMP, "0"));
            return UpdateControl.noUpdate();
        }
    }
}
