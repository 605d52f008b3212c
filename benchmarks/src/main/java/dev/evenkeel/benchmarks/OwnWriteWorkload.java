package dev.evenkeel.benchmarks;

import static dev.evenkeel.benchmarks.ReportSection.check;

import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.controller.cache.InformerOptions;
import dev.evenkeel.controller.cache.Informers;
import dev.evenkeel.controller.schedule.SystemScheduler;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Status round trips over HTTP, with a server in another process, by one and by eight threads; and visibility of a
 * process's own writes in its cache. Asserted: ours always shows them.
 */
final class OwnWriteWorkload implements ControllerSuite.Workload {
    private static final int DEPLOYMENTS = 1_000;
    private static final int WRITES = 10_000;
    private static final int INCREMENTS = 4_000;
    private static final String PEER = "fabric8 7.8.0";
    private static final Kind<Deployment> KIND = Kind.of(Deployment.class);

    @Override
    public void run(ReportSection section) throws Exception {
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
                        section,
                        "wire: get" + by,
                        parallel,
                        i -> ours.get(KIND, key(i)),
                        i -> theirs.apps()
                                .deployments()
                                .inNamespace("default")
                                .withName(name(i))
                                .get());
                both(
                        section,
                        "wire: update of the status" + by,
                        parallel,
                        i -> ours.updateStatus(KIND, status(i), WriteOptions.DEFAULT),
                        i -> theirs.resource(status(i)).updateStatus());
                both(
                        section,
                        "wire: apply of the status" + by,
                        parallel,
                        i -> ours.applyStatus(
                                KIND,
                                status(i),
                                WriteOptions.DEFAULT.fieldManager("bench").force(true)),
                        i -> theirs.resource(status(i))
                                .subresource("status")
                                .patch(new PatchContext.Builder()
                                        .withPatchType(PatchType.SERVER_SIDE_APPLY)
                                        .withFieldManager("bench")
                                        .withForce(true)
                                        .build()));
            }
            both(
                    section,
                    "wire: merge patch of the status",
                    1,
                    i -> ours.patchStatus(KIND, key(i), Patch.merge(patch(i)), WriteOptions.DEFAULT),
                    i -> theirs.resource(status(i))
                            .subresource("status")
                            .patch(PatchContext.of(PatchType.JSON_MERGE), patch(i)));
            contention(section, ours, theirs);
            section.elsewhere(
                    "Go against kube-apiserver with etcd on a disk: get 818/s, status update 393/s, apply 332/s");
            stale(section, scheduler, ours, theirs);
        }
    }

    private static String patch(int number) {
        return "{\"status\":{\"observedGeneration\":" + number + "}}";
    }

    /**
     * Eight writers increment a counter in one object, each retrying until no other write came between its read and its
     * write.
     */
    private static void contention(
            ReportSection section, KubernetesClient ours, io.fabric8.kubernetes.client.KubernetesClient theirs)
            throws Exception {
        ObjectKey counter = ObjectKey.of("default", "counter");
        ConfigMap made = ours.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("counter")
                .endMetadata()
                .addToData("count", "0")
                .build());
        check(made.getMetadata().getUid() != null, "there is a counter");
        double mine = increments(() -> {
            ConfigMap read = ours.get(ConfigMap.class, counter);
            try {
                ConfigMap _ = ours.update(increased(read));
                return true;
            } catch (ConflictException e) {
                return false;
            }
        });
        double peers = increments(() -> {
            ConfigMap read = theirs.configMaps()
                    .inNamespace("default")
                    .withName("counter")
                    .get();
            try {
                ConfigMap _ = theirs.resource(increased(read)).update();
                return true;
            } catch (KubernetesClientException e) {
                check(e.getCode() == 409, "nothing but conflicts comes between");
                return false;
            }
        });
        section.both("wire: increments of one object by 8 at once", Unit.PER_SECOND, mine, peers, PEER);
        int counted =
                Integer.parseInt(ours.get(ConfigMap.class, counter).getData().getOrDefault("count", "0"));
        check(counted == 2 * INCREMENTS, "no increment is lost");
    }

    private static ConfigMap increased(ConfigMap map) {
        int count = Integer.parseInt(map.getData().getOrDefault("count", "0"));
        map.getData().put("count", Integer.toString(count + 1));
        return map;
    }

    private static double increments(BooleanSupplier increment) throws Exception {
        AtomicInteger left = new AtomicInteger(INCREMENTS);
        AtomicLong failed = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        long from = System.nanoTime();
        for (int i = 0; i < 8; i++) {
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    while (left.getAndDecrement() > 0) {
                        while (!increment.getAsBoolean()) {
                            Thread.onSpinWait();
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
        check(failed.get() == 0, "every increment ends");
        return INCREMENTS / ((System.nanoTime() - from) / 1e9);
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

    /** Returns a status that differs each time. */
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
    private interface Operation {
        Object run(int count);
    }

    private static void both(ReportSection section, String workload, int parallel, Operation ours, Operation theirs)
            throws Exception {
        section.both(
                workload,
                Unit.PER_SECOND,
                perSecond(section, parallel, ours),
                perSecond(section, parallel, theirs),
                PEER);
    }

    private static double perSecond(ReportSection section, int parallel, Operation operation) throws Exception {
        List<Thread> threads = new ArrayList<>();
        AtomicLong calls = new AtomicLong();
        AtomicLong failed = new AtomicLong();
        long measured = section.length().measured().toNanos() / 2;
        long from = System.nanoTime() + section.length().warmup().toNanos() / 2;
        for (int i = 0; i < parallel; i++) {
            int first = i; // each thread has its own deployments
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    for (int count = first; System.nanoTime() < from + measured; count += parallel) {
                        Object _ = operation.run(count);
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
            ReportSection section,
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
        section.both("own writes: not in the cache, of " + WRITES, Unit.MISSES, ours, stale, PEER);
        section.both("own writes: write and cached read", Unit.MICROSECONDS, micros, peerMicros, PEER);
        section.elsewhere("Go: 353 of 1,000 not in the cache");
    }
}
