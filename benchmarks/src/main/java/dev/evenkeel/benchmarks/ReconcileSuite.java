package dev.evenkeel.benchmarks;

import static dev.evenkeel.benchmarks.Lines.check;

import com.sun.management.ThreadMXBean;
import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Outcome;
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
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.GenericKubernetesResourceMatcher;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Reconcilers made of parts, on the engine in process: what a tree costs when there is nothing to do, and when there is.
 * Asserted: how often each of them wrote.
 */
final class ReconcileSuite implements Suite {
    private static final String PEER = "JOSDK 5.2.3, which only compares the child";
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Kind<Secret> SECRETS = Kind.of(Secret.class);
    private static final ObjectKey ONE = ObjectKey.of("default", "parent-0");

    @Override
    public String name() {
        return "reconcile";
    }

    @Override
    public void run(Effort effort, Report report) throws Exception {
        report.begin(
                name(),
                "trees of parts on the engine in process, on one thread: its processor time, and what it allocates");
        Lines lines = new Lines(name(), effort, report);
        trees(lines);
        children(
                lines,
                "updated",
                child().merge((actual, desired) -> actual.setData(desired.getData()))
                        .build());
        children(lines, "applied", child().applied("bench").build());
        sets(lines);
    }

    /** Reconcilers in a world of their own. */
    private static final class Bed implements AutoCloseable {
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
                    .withoutStatus()
                    .reconciler(part)
                    .build()
                    .controller();
            rehearsal = new StandaloneController<>(
                    controller, client, client, scheduler, (object, type, reason, action, text) -> {});
        }

        void reconcile(ObjectKey key) {
            Outcome outcome = rehearsal.reconcile(key);
            check(outcome.equals(Outcome.done()), key + " is done, and not " + outcome);
        }

        /** What is written while something is done. */
        long writes(Runnable work) {
            long before = engine.store().revision();
            work.run();
            return engine.store().revision() - before;
        }

        /** The caches hear of what was changed. */
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
                .withNewMetadata()
                .withNamespace("default")
                .withName("parent-" + number)
                .endMetadata()
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

    private static ChildReconciler.Builder<ConfigMap, Secret> child() {
        return ChildReconciler.of(ConfigMap.class, Secret.class)
                .desired((reconciliation, parent) ->
                        Optional.of(secret(parent, parent.getMetadata().getName(), "dGV4dA==")));
    }

    private static ObjectKey key(int number) {
        return ObjectKey.of("default", "parent-" + number);
    }

    private static int warmUp(Lines lines) {
        return lines.quick() ? 100_000 : 500_000;
    }

    private static void trees(Lines lines) {
        List<SubReconciler<ConfigMap>> parts = Collections.nCopies(10, (reconciliation, resource) -> Outcome.done());
        @SuppressWarnings("unchecked") // filled with what it is for
        Part<ConfigMap> tree = Sequence.of(parts.toArray(SubReconciler[]::new));
        try (Bed bed = new Bed(1, 1, tree)) {
            String workload = "reconcile: an empty tree of 10 parts";
            lines.ours(workload, Unit.MICROSECONDS, micros(warmUp(lines), () -> bed.reconcile(ONE)));
            allocated(lines, workload, () -> bed.reconcile(ONE));
        }
    }

    /** A line for what a call allocates, when it is warm. */
    private static void allocated(Lines lines, String workload, Runnable call) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 1_000; i++) {
            call.run();
        }
        lines.ours(workload + ", allocated", Unit.BYTES, (THREADS.getCurrentThreadAllocatedBytes() - before) / 1_000.0);
    }

    /** The time of a call: once to be warm, and then the one that counts. */
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

    private static void children(Lines lines, String how, Part<ConfigMap> part) {
        String one = "reconcile: one child, " + how + ", ";
        try (Bed bed = new Bed(1, 1, part)) {
            check(bed.writes(() -> bed.reconcile(ONE)) == 1, "the child is made, by one write");
            bed.settle();
            bed.reconcile(ONE);
            check(bed.writes(() -> bed.reconcile(ONE)) == 0, "when there is nothing to do, nothing is written");
            int times = warmUp(lines) / 5;
            String workload = one + "nothing to do";
            lines.both(workload, Unit.MICROSECONDS, micros(times, () -> bed.reconcile(ONE)), josdk(times), PEER);
            allocated(lines, workload, () -> bed.reconcile(ONE));
        }
        int parents = lines.quick() ? 5_000 : 20_000;
        try (Bed bed = new Bed(parents, 1, part)) {
            lines.ours(one + "made", Unit.MICROSECONDS, each(bed, parents));
            for (int i = 0; i < parents; i++) {
                Secret drifted = bed.client.get(SECRETS, key(i));
                drifted.setData(Map.of("value", "b3RoZXI="));
                Secret _ = bed.client.update(SECRETS, drifted, WriteOptions.DEFAULT);
            }
            bed.settle();
            lines.ours(one + "put right", Unit.MICROSECONDS, each(bed, parents));
        }
    }

    /** Each parent once, with one write; the first tenth is to be warm. */
    private static double each(Bed bed, int parents) {
        int first = parents / 10;
        check(
                bed.writes(() -> IntStream.range(0, first).forEach(i -> bed.reconcile(key(i)))) == first,
                "one write each");
        long from = THREADS.getCurrentThreadCpuTime();
        long writes = bed.writes(() -> IntStream.range(first, parents).forEach(i -> bed.reconcile(key(i))));
        double micros = (THREADS.getCurrentThreadCpuTime() - from) / 1e3 / (parents - first);
        check(writes == parents - first, "one write each, and not " + writes);
        bed.settle();
        return micros;
    }

    private static void sets(Lines lines) {
        for (int size : new int[] {1_000, 10_000}) {
            String set = "reconcile: set of " + size + " children, ";
            try (Bed bed = new Bed(1, size, set())) {
                long from = THREADS.getCurrentThreadCpuTime();
                check(bed.writes(() -> bed.reconcile(ONE)) == size, "each child is made, by one write");
                lines.ours(set + "made", Unit.MILLISECONDS, (THREADS.getCurrentThreadCpuTime() - from) / 1e6);
                bed.settle();
                int times = lines.quick() ? 20_000 / size : 100_000 / size;
                check(bed.writes(() -> bed.reconcile(ONE)) == 0, "nothing is written when nothing is to do");
                lines.ours(set + "nothing to do", Unit.MILLISECONDS, micros(times, () -> bed.reconcile(ONE)) / 1e3);
                List<Double> millis = new ArrayList<>();
                for (int i = 0; i < times; i++) {
                    ObjectKey key = ObjectKey.of("default", "parent-0-" + i);
                    Secret drifted = bed.client.get(SECRETS, key);
                    drifted.setData(Map.of("value", "b3RoZXI="));
                    Secret _ = bed.client.update(SECRETS, drifted, WriteOptions.DEFAULT);
                    bed.settle();
                    from = THREADS.getCurrentThreadCpuTime();
                    check(bed.writes(() -> bed.reconcile(ONE)) == 1, "one write for one change");
                    millis.add((THREADS.getCurrentThreadCpuTime() - from) / 1e6);
                    bed.settle();
                }
                Collections.sort(millis);
                lines.ours(set + "one of them put right", Unit.MILLISECONDS, millis.get(millis.size() / 2));
                check(bed.client.list(SECRETS, ListOptions.ALL).items().size() == size, "none too many");
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

    /** The peer's decision that there is nothing to do, without how it finds the child. */
    private static double josdk(int times) {
        try (KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(
                        new ConfigBuilder().withMasterUrl("http://localhost:1").build())
                .build()) {
            @SuppressWarnings("unchecked") // of its methods it is asked for one
            Context<ConfigMap> context = (Context<ConfigMap>) Proxy.newProxyInstance(
                    ReconcileSuite.class.getClassLoader(),
                    new Class<?>[] {Context.class},
                    (proxy, method, arguments) -> {
                        check(method.getName().equals("getClient"), "asked for its client, and not " + method);
                        return client;
                    });
            ConfigMap parent = parent(0, 1);
            Secret actual = secret(parent, "parent-0", "dGV4dA==");
            actual.getMetadata().setUid("uid");
            actual.getMetadata().setResourceVersion("1");
            return micros(times, () -> {
                Secret desired = secret(parent, "parent-0", "dGV4dA==");
                check(
                        GenericKubernetesResourceMatcher.match(desired, actual, context)
                                .matched(),
                        "they match");
            });
        }
    }
}
