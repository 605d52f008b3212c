package dev.evenkeel.benchmarks;

import static dev.evenkeel.benchmarks.ReportSection.check;

import com.sun.management.ThreadMXBean;
import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.StandaloneController;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.reconcile.ResourceReconciler;
import dev.evenkeel.reconcile.child.ChildReconciler;
import dev.evenkeel.reconcile.child.ChildSetReconciler;
import dev.evenkeel.reconcile.flow.Sequence;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.simulation.VirtualScheduler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.GenericKubernetesResourceMatcher;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Composed reconcilers on the engine in process: the cost of a tree when there is nothing to do, and when there is.
 * Asserted: the number of writes of each.
 */
final class ReconcileSuite {
    private static final String PEER = "JOSDK 5.2.3, which only compares the child";
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Kind<Secret> SECRETS = Kind.of(Secret.class);

    private ReconcileSuite() {}

    static void run(ReportSection section) {
        trees(section);
        children(
                section,
                "updated",
                child().merge((actual, desired) -> actual.setData(desired.getData()))
                        .build());
        children(section, "applied", child().fieldManager("bench").build());
        sets(section);
    }

    /** Reconcilers with an engine of their own. */
    static final class Bed implements AutoCloseable {
        private final VirtualScheduler scheduler = new VirtualScheduler(1);
        private final Engine engine;
        private final Client client;
        private final StandaloneController<ConfigMap> rehearsal;

        Bed(int parents, int size, Part<ConfigMap> part) {
            engine = Engine.builder()
                    .clock(scheduler.clock())
                    .executor(Runnable::run)
                    .build();
            client = engine.client();
            for (int i = 0; i < parents; i++) {
                ConfigMap _ = client.create(parent(i, size));
            }
            Controller<ConfigMap> controller = ResourceReconciler.of(ConfigMap.class)
                    .skipStatus(true)
                    .reconciler(part)
                    .build()
                    .controller();
            rehearsal = new StandaloneController<>(
                    controller, client, client, scheduler, (object, type, reason, action, text) -> {});
        }

        void reconcile() {
            reconcile(0, 1);
        }

        void reconcile(int from, int to) {
            for (int i = from; i < to; i++) {
                Result outcome = rehearsal.reconcile(key(i));
                if (!outcome.equals(Result.done())) { // no message that the measurement would count
                    throw new IllegalStateException(key(i) + " is not done: " + outcome);
                }
            }
        }

        void drift(ObjectKey key) {
            Secret drifted = client.get(SECRETS, key);
            drifted.setData(Map.of("value", "b3RoZXI="));
            Secret _ = client.update(SECRETS, drifted, WriteOptions.DEFAULT);
        }

        /** Returns the number of writes while an action runs. */
        long writes(Runnable work) {
            long before = engine.store().revision();
            work.run();
            return engine.store().revision() - before;
        }

        /** Waits until the caches have all changes. */
        void settle() {
            scheduler.settle();
        }

        @Override
        public void close() {
            rehearsal.close();
            engine.close();
        }
    }

    private static ConfigMap parent(int number, int size) {
        return new ConfigMapBuilder()
                .withMetadata(Fixture.named("parent-" + number))
                .addToData("size", Integer.toString(size))
                .addToData("text", "some text")
                .build();
    }

    private static Secret secret(ConfigMap parent, String name, String value) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(parent.getMetadata().getNamespace())
                .withName(name)
                .addToLabels("app", parent.getMetadata().getName())
                .endMetadata()
                .withType("Opaque")
                .addToData("value", value)
                .build();
    }

    static ChildReconciler.Builder<ConfigMap, Secret> child() {
        return ChildReconciler.of(ConfigMap.class, Secret.class)
                .desired((reconciliation, parent) ->
                        Optional.of(secret(parent, parent.getMetadata().getName(), "dGV4dA==")));
    }

    private static ObjectKey key(int number) {
        return ObjectKey.of("default", "parent-" + number);
    }

    private static int warmUp(ReportSection section) {
        return section.quick() ? 100_000 : 500_000;
    }

    private static void trees(ReportSection section) {
        List<SubReconciler<ConfigMap>> parts = Collections.nCopies(10, (reconciliation, resource) -> Result.done());
        @SuppressWarnings("unchecked") // contains values of type T only
        Part<ConfigMap> tree = Sequence.of(parts.toArray(SubReconciler[]::new));
        try (Bed bed = new Bed(1, 1, tree)) {
            String workload = "reconcile: an empty tree of 10 parts";
            section.ours(workload, Unit.MICROSECONDS, micros(warmUp(section), bed::reconcile));
            allocated(section, workload, bed::reconcile);
        }
    }

    /** Adds a line for the allocation of a call, after warm-up. */
    private static void allocated(ReportSection section, String workload, Runnable call) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 1_000; i++) {
            call.run();
        }
        section.ours(
                workload + ", allocated", Unit.BYTES, (THREADS.getCurrentThreadAllocatedBytes() - before) / 1_000.0);
    }

    /** Returns the time of a call: runs it once for warm-up, and then for the measurement. */
    private static double micros(int times, Runnable call) {
        for (int i = 0; i < times; i++) {
            call.run();
        }
        long from = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < times; i++) {
            call.run();
        }
        return (THREADS.getCurrentThreadCpuTime() - from) / 1e3 / times;
    }

    private static void children(ReportSection section, String how, Part<ConfigMap> part) {
        String one = "reconcile: one child, " + how + ", ";
        try (Bed bed = new Bed(1, 1, part)) {
            check(bed.writes(bed::reconcile) == 1, "one write creates the child");
            bed.settle();
            bed.reconcile();
            check(bed.writes(bed::reconcile) == 0, "no writes when there is nothing to do");
            int times = warmUp(section) / 5;
            String workload = one + "nothing to do";
            section.both(workload, Unit.MICROSECONDS, micros(times, bed::reconcile), josdk(times), PEER);
            allocated(section, workload, bed::reconcile);
        }
        int parents = section.quick() ? 5_000 : 20_000;
        try (Bed bed = new Bed(parents, 1, part)) {
            section.ours(one + "made", Unit.MICROSECONDS, each(bed, parents));
            for (int i = 0; i < parents; i++) {
                bed.drift(key(i));
            }
            bed.settle();
            section.ours(one + "corrected", Unit.MICROSECONDS, each(bed, parents));
        }
    }

    /** Reconciles each parent once, with one write; the first tenth is warm-up. */
    private static double each(Bed bed, int parents) {
        int first = parents / 10;
        check(bed.writes(() -> bed.reconcile(0, first)) == first, "one write each");
        long from = THREADS.getCurrentThreadCpuTime();
        long writes = bed.writes(() -> bed.reconcile(first, parents));
        double micros = (THREADS.getCurrentThreadCpuTime() - from) / 1e3 / (parents - first);
        check(writes == parents - first, "one write each: " + writes);
        bed.settle();
        return micros;
    }

    private static void sets(ReportSection section) {
        for (int size : new int[] {1_000, 10_000}) {
            String set = "reconcile: set of " + size + " children, ";
            try (Bed bed = new Bed(1, size, set())) {
                long from = THREADS.getCurrentThreadCpuTime();
                check(bed.writes(bed::reconcile) == size, "one write creates each child");
                section.ours(set + "made", Unit.MILLISECONDS, (THREADS.getCurrentThreadCpuTime() - from) / 1e6);
                bed.settle();
                int times = section.quick() ? 20_000 / size : 100_000 / size;
                check(bed.writes(bed::reconcile) == 0, "no writes when there is nothing to do");
                section.ours(set + "nothing to do", Unit.MILLISECONDS, micros(times, bed::reconcile) / 1e3);
                List<Double> millis = new ArrayList<>();
                for (int i = 0; i < times; i++) {
                    bed.drift(ObjectKey.of("default", "parent-0-" + i));
                    bed.settle();
                    from = THREADS.getCurrentThreadCpuTime();
                    check(bed.writes(bed::reconcile) == 1, "one write for one change");
                    millis.add((THREADS.getCurrentThreadCpuTime() - from) / 1e6);
                    bed.settle();
                }
                Collections.sort(millis);
                section.ours(set + "one of them put right", Unit.MILLISECONDS, millis.get(millis.size() / 2));
                check(bed.client.list(SECRETS, ListOptions.ALL).items().size() == size, "no surplus children");
            }
        }
    }

    private static Part<ConfigMap> set() {
        return ChildSetReconciler.of(ConfigMap.class, Secret.class)
                .desired((reconciliation, parent) -> IntStream.range(
                                0, Integer.parseInt(parent.getData().get("size")))
                        .mapToObj(i -> secret(parent, parent.getMetadata().getName() + "-" + i, "dGV4dA=="))
                        .toList())
                .identify(child -> child.getMetadata().getName())
                .merge((actual, desired) -> actual.setData(desired.getData()))
                .build();
    }

    /** Measures the peer's decision that there is nothing to do, without its look-up of the child. */
    private static double josdk(int times) {
        try (KubernetesClient client = Peers.fabric8(URI.create("http://localhost:1"))) {
            @SuppressWarnings("unchecked") // only one of its methods is called
            Context<ConfigMap> context = (Context<ConfigMap>) Proxy.newProxyInstance(
                    ReconcileSuite.class.getClassLoader(),
                    new Class<?>[] {Context.class},
                    (proxy, method, arguments) -> {
                        check(method.getName().equals("getClient"), "only getClient is called: " + method);
                        return client;
                    });
            ConfigMap parent = parent(0, 1);
            Secret actual = secret(parent, "parent-0", "dGV4dA==");
            actual.getMetadata().setUid("uid");
            actual.getMetadata().setResourceVersion("1");
            return micros(times, () -> {
                Secret desired = secret(parent, "parent-0", "dGV4dA==");
                var match = GenericKubernetesResourceMatcher.match(desired, actual, context);
                check(match.matched(), "they match");
            });
        }
    }
}
