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
record ReconcileWorkload(ReportSection section, FixtureServer server) {
    private static final int OBJECTS = 100_000;

    /** Receives the stamp of a reconciled object. Reading the stamp is lazy: ours searches the JSON text for it. */
    @FunctionalInterface
    interface Told {
        /** Records a reconciliation; returns true to have it retried. */
        boolean reconciled(Supplier<String> stamp);
    }

    interface Started extends AutoCloseable {
        @Override
        void close();
    }

    enum Candidate {
        EVENKEEL,
        JOSDK;

        /** Starts a controller with a number of workers. */
        Started start(URI server, int workers, Told told) {
            return this == JOSDK ? josdk(server, workers, told) : evenkeel(server, workers, told);
        }
    }

    static void run(ReportSection section) throws Exception {
        try (FixtureServer server = new FixtureServer(OBJECTS)) {
            new ReconcileWorkload(section, server).run();
        }
    }

    private void run() throws Exception {
        Runnable nothing = () -> {};
        double _ = perSecond(Candidate.EVENKEEL, 8, nothing); // warm-up
        for (int workers : new int[] {1, 8, 64, 1_000}) {
            String workload = "controller: empty reconciliations, " + workers + " workers";
            double ours = Math.max(
                    perSecond(Candidate.EVENKEEL, workers, nothing), perSecond(Candidate.EVENKEEL, workers, nothing));
            if (workers == 8) { // starting the peer takes much longer than the measurement
                double theirs = perSecond(Candidate.JOSDK, workers, nothing);
                section.both(workload, Unit.PER_SECOND, ours, theirs, Peers.JOSDK);
            } else {
                section.ours(workload, Unit.PER_SECOND, ours);
            }
        }
        section.elsewhere("Go: 135,000/s and 138,000/s with 1 and 8 workers, FIFO; 79,000 and 129,000 with priorities");
        Runnable millisecond = () -> LockSupport.parkNanos(1_000_000);
        section.both(
                "controller: reconciliations of 1 ms, 64 workers",
                Unit.PER_SECOND,
                perSecond(Candidate.EVENKEEL, 64, millisecond),
                perSecond(Candidate.JOSDK, 64, millisecond),
                Peers.JOSDK);
        ours("reconciliations of 1 ms, 1000 workers", 1_000, millisecond, () -> false);
        ours("reconciliations of 10 ms, 1000 workers", 1_000, () -> LockSupport.parkNanos(10_000_000), () -> false);
        section.elsewhere("Go: 39,000/s with 64 workers of 1 ms, 84,000/s with 1000 of 10 ms");
        ours("reconciliations of 50 µs of a processor", 8, ReconcileWorkload::compute, () -> false);
        AtomicInteger tries = new AtomicInteger();
        ours("empty reconciliations, 1 of 100 retried", 8, nothing, () -> tries.incrementAndGet() % 100 == 0);
        latency();
    }

    /** Uses fifty microseconds of processor time. */
    private static void compute() {
        long end = System.nanoTime() + 50_000;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private void ours(String workload, int workers, Runnable work, BooleanSupplier again) throws Exception {
        double perSecond = perSecond(Candidate.EVENKEEL, workers, work, again);
        section.ours("controller: " + workload, Unit.PER_SECOND, perSecond);
    }

    private double perSecond(Candidate candidate, int workers, Runnable work) throws Exception {
        return perSecond(candidate, workers, work, () -> false);
    }

    /** Returns reconciliations per second, from the first to the last object; those to be retried run again. */
    private double perSecond(Candidate candidate, int workers, Runnable work, BooleanSupplier again) throws Exception {
        AtomicLong first = new AtomicLong();
        AtomicInteger left = new AtomicInteger(OBJECTS);
        CountDownLatch end = new CountDownLatch(1);
        Told told = stamp -> {
            if (first.get() == 0) {
                first.compareAndSet(0, System.nanoTime());
            }
            work.run();
            if (again.getAsBoolean()) {
                return true;
            }
            if (left.decrementAndGet() == 0) {
                end.countDown();
            }
            return false;
        };
        try (Started _ = candidate.start(server.url, workers, told)) {
            check(end.await(5, TimeUnit.MINUTES), "every object is reconciled");
            return OBJECTS / ((System.nanoTime() - first.get()) / 1e9);
        }
    }

    /**
     * Measures the latency from a change to its reconciliation, by a controller in a process of its own, with the
     * garbage collector recommended for low latency; see docs/controllers.md.
     */
    private void latency() throws Exception {
        int seconds = section.quick() ? 5 : 10;
        long[] theirs;
        try (FollowerProcess follower = new FollowerProcess(server, OBJECTS, Candidate.JOSDK)) {
            long[] _ = follower.follow("alone", 5_000, 10); // warm-up
            theirs = follower.follow("alone", 1_000, seconds);
        }
        try (FollowerProcess follower = new FollowerProcess(server, OBJECTS, Candidate.EVENKEEL)) {
            for (int i = 0; i < 2; i++) {
                long[] _ = follower.follow("alone", 5_000, 10); // warm-up
            }
            for (int rate : new int[] {100, 1_000, 5_000}) {
                String workload = "controller: event to reconcile at " + rate + "/s";
                long[] peers = rate == 1_000 ? theirs : new long[0];
                section.percentiles(workload, follower.follow("alone", rate, seconds), peers, Peers.JOSDK);
            }
            section.elsewhere("Go, p50/p99 in µs: 365/1,652 at 100/s, 210/598 at 1,000/s, 357/2,192 at 5,000/s");
            String contended = "controller: at 1000/s with " + FollowerProcess.READERS + " readers";
            section.percentiles(contended, follower.follow("contended", 1_000, seconds), new long[0], "");
            section.percentiles(
                    contended + " that list all", follower.follow("listed", 1_000, seconds), new long[0], "");
        }
    }

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

    private static Running evenkeel(URI server, int workers, Told told) {
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

    private static Started josdk(URI server, int workers, Told told) {
        Operator operator = Peers.josdk(
                Peers.fabric8(server),
                new JosdkReconciler(told),
                options -> options.withConcurrentReconciliationThreads(workers).withCloseClientOnStop(true));
        return operator::stop;
    }

    @ControllerConfiguration
    private record JosdkReconciler(Told told) implements Reconciler<ConfigMap> {
        @Override
        public UpdateControl<ConfigMap> reconcile(ConfigMap object, Context<ConfigMap> context) {
            boolean _ =
                    told.reconciled(() -> object.getMetadata().getAnnotations().getOrDefault(Fixture.STAMP, "0"));
            return UpdateControl.noUpdate();
        }
    }
}
