package dev.evenkeel.benchmarks;

import static dev.evenkeel.benchmarks.Lines.check;

import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.controller.cache.InformerOptions;
import dev.evenkeel.controller.cache.Informers;
import dev.evenkeel.controller.schedule.SystemScheduler;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Status round trips over HTTP, with a server in another process, by one and by eight at once; and whether a cache shows
 * what was just written through the same process. Asserted: ours always does.
 */
final class OwnWriteWorkload implements ControllerSuite.Workload {
    private static final int DEPLOYMENTS = 1_000;
    private static final int WRITES = 10_000;
    private static final String PEER = "fabric8 7.8.0";
    private static final Kind<Deployment> KIND = Kind.of(Deployment.class);

    @Override
    public void run(Lines lines) throws Exception {
        try (FixtureServer server = new FixtureServer(0);
                SystemScheduler scheduler = new SystemScheduler();
                KubernetesClient ours =
                        KubernetesClient.connect(Connection.to(server.url()).build());
                var theirs = new KubernetesClientBuilder()
                        .withConfig(SyncWorkload.config(server.url()))
                        .build()) {
            for (int i = 0; i < DEPLOYMENTS; i++) {
                ours.create(deployment(i));
            }
            for (int parallel : new int[] {1, 8}) {
                String by = parallel == 1 ? "" : ", 8 at once";
                both(
                        lines,
                        "wire: get" + by,
                        parallel,
                        i -> ours.get(KIND, key(i)),
                        i -> theirs.apps()
                                .deployments()
                                .inNamespace("default")
                                .withName(name(i))
                                .get());
                both(
                        lines,
                        "wire: update of the status" + by,
                        parallel,
                        i -> ours.updateStatus(KIND, status(i), WriteOptions.DEFAULT),
                        i -> theirs.resource(status(i)).updateStatus());
                both(
                        lines,
                        "wire: apply of the status" + by,
                        parallel,
                        i -> ours.applyStatus(
                                KIND,
                                status(i),
                                WriteOptions.DEFAULT.withFieldManager("bench").withForce(true)),
                        i -> theirs.resource(status(i))
                                .subresource("status")
                                .patch(new PatchContext.Builder()
                                        .withPatchType(PatchType.SERVER_SIDE_APPLY)
                                        .withFieldManager("bench")
                                        .withForce(true)
                                        .build()));
            }
            lines.elsewhere(
                    "Go against kube-apiserver with etcd on a disk: get 818/s, status update 393/s, apply 332/s");
            stale(lines, scheduler, ours, theirs);
        }
    }

    private static String name(int number) {
        return "deployment-%04d".formatted(number % DEPLOYMENTS);
    }

    private static ObjectKey key(int number) {
        return ObjectKey.of("default", name(number));
    }

    private static Deployment deployment(int number) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name(number))
                .endMetadata()
                .withNewSpec()
                .withNewSelector()
                .withMatchLabels(Map.of("app", name(number)))
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(Map.of("app", name(number)))
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("web")
                .withImage("web:1")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    /** A status that is another each time. */
    private static Deployment status(int number) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name(number))
                .endMetadata()
                .withStatus(new DeploymentStatusBuilder()
                        .withObservedGeneration((long) number)
                        .build())
                .build();
    }

    @FunctionalInterface
    private interface Call {
        Object call(int count);
    }

    private static void both(Lines lines, String workload, int parallel, Call ours, Call theirs) throws Exception {
        lines.both(
                workload, Unit.PER_SECOND, perSecond(lines, parallel, ours), perSecond(lines, parallel, theirs), PEER);
    }

    private static double perSecond(Lines lines, int parallel, Call call) throws Exception {
        List<Thread> threads = new ArrayList<>();
        AtomicLong calls = new AtomicLong();
        AtomicLong failed = new AtomicLong();
        long measured = lines.effort().measured().toNanos() / 2;
        long from = System.nanoTime() + lines.effort().warmup().toNanos() / 2;
        for (int i = 0; i < parallel; i++) {
            int first = i; // each has deployments of its own
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    for (int count = first; System.nanoTime() < from + measured; count += parallel) {
                        Object _ = call.call(count);
                        if (System.nanoTime() > from) {
                            calls.incrementAndGet();
                        }
                    }
                } catch (RuntimeException e) {
                    failed.incrementAndGet();
                    throw e;
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        check(failed.get() == 0, "every call is answered");
        return calls.get() / (measured / 1e9);
    }

    private static void stale(
            Lines lines,
            SystemScheduler scheduler,
            KubernetesClient raw,
            io.fabric8.kubernetes.client.KubernetesClient theirs)
            throws Exception {
        int ours = 0;
        long began;
        double micros;
        try (Informers informers = new Informers(raw, scheduler, InformerOptions.DEFAULT);
                Informers.Lease<Deployment> lease = informers.acquire(KIND)) {
            check(informers.waitForSync(Duration.ofMinutes(1)), "our informer is in sync");
            Client client = informers.client();
            Cache<Deployment> cache = lease.cache();
            began = System.nanoTime();
            for (int i = 0; i < WRITES; i++) {
                String written = client.updateStatus(KIND, status(1_000_000 + i), WriteOptions.DEFAULT)
                        .getMetadata()
                        .getResourceVersion();
                if (!cache.get(key(i)).orElseThrow().resourceVersion().equals(written)) {
                    ours++;
                }
            }
            micros = (System.nanoTime() - began) / 1e3 / WRITES;
        }
        check(ours == 0, "a cached read is never older than an own write, and " + ours + " were");
        int stale = 0;
        double peerMicros;
        try (SharedIndexInformer<Deployment> informer =
                theirs.apps().deployments().inAnyNamespace().runnableInformer(0)) {
            informer.start().toCompletableFuture().get(1, TimeUnit.MINUTES);
            began = System.nanoTime();
            for (int i = 0; i < WRITES; i++) {
                Deployment written = theirs.resource(status(2_000_000 + i)).updateStatus();
                Deployment read = informer.getStore().getByKey("default/" + name(i));
                if (!read.getMetadata()
                        .getResourceVersion()
                        .equals(written.getMetadata().getResourceVersion())) {
                    stale++;
                }
            }
            peerMicros = (System.nanoTime() - began) / 1e3 / WRITES;
        }
        lines.both("own writes: not in the cache, of " + WRITES, Unit.MISSES, ours, stale, PEER);
        lines.both("own writes: write and cached read", Unit.MICROSECONDS, micros, peerMicros, PEER);
        lines.elsewhere("Go: 353 of 1,000 not in the cache");
    }
}
