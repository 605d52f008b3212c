package dev.evenkeel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.SemanticEquality;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.controller.cache.Informer;
import dev.evenkeel.controller.cache.InformerOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.reconcile.flow.Sequence;
import dev.evenkeel.simulation.VirtualScheduler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The memory that the most frequent operations allocate stays within the budgets of {@code docs/benchmarks.md}, and no budget
 * is so generous that it says nothing. One thread does everything, so its count of allocated bytes is complete; without the
 * optimizing compiler, as tests run here, the figures hardly differ between runs. A change that needs more has a
 * reason to give, and a line of the table to change.
 */
class AllocationBudgetsTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Path PAGE = Path.of("../docs/benchmarks.md");
    private static final Pattern LINE = Pattern.compile("^\\| (.+?) \\| ([\\d,]+) \\|$", Pattern.MULTILINE);
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    private static final int TIMES = 500;
    private static final int OBJECTS = 100;
    /** The share of a budget that is used at least. */
    private static final double LEAST_USED = 0.8;

    private final Map<String, Long> measured = new LinkedHashMap<>();

    /** Measures an operation, which receives a number that it has never received before. */
    private void measure(String name, IntConsumer operation) {
        IntStream.range(0, TIMES).forEach(operation);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        IntStream.range(TIMES, 2 * TIMES).forEach(operation);
        long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertThat(measured.put(name, bytes / TIMES)).isNull();
    }

    @Test
    void operationsStayWithinTheirBudgets() throws Exception {
        codec();
        engine();
        customResources();
        queue();
        cache();
        reconcilers();

        Map<String, Long> budgets = budgets();
        System.out.println("allocated for each operation, of its budget:");
        measured.forEach((name, bytes) ->
                System.out.printf("| %s | %,d | %,d |%n", name, bytes, budgets.getOrDefault(name, 0L)));
        assertThat(budgets.keySet()).containsExactlyInAnyOrderElementsOf(measured.keySet());
        measured.forEach((name, bytes) -> assertThat(bytes)
                .as("bytes allocated by \"%s\", with its budget in docs/benchmarks.md", name)
                .isBetween((long) (budgets.get(name) * LEAST_USED), budgets.get(name)));
    }

    private static Map<String, Long> budgets() throws IOException {
        String page = Files.readString(PAGE);
        String section = page.substring(page.indexOf("## Allocation budgets"));
        Map<String, Long> budgets = new LinkedHashMap<>();
        LINE.matcher(section)
                .results()
                .forEach(line ->
                        budgets.put(line.group(1), Long.parseLong(line.group(2).replace(",", ""))));
        return budgets;
    }

    private static Encoded map(int number, int version) {
        return Encoded.of(StoredObjects.configMap(StoredObjects.name(number), version, 1_024));
    }

    private static ObjectKey key(int number) {
        return ObjectKey.of("default", StoredObjects.name(number));
    }

    private void codec() {
        byte[] json = StoredObjects.configMap(1);
        ConfigMap object = ModelCodec.decode(json, ConfigMap.class);
        ConfigMap equal = ModelCodec.decode(json, ConfigMap.class);
        measure("decode a ConfigMap", i -> ModelCodec.decode(json, ConfigMap.class));
        measure("encode a ConfigMap", i -> ModelCodec.encode(object));
        measure("read the header of an encoded object", i -> Encoded.of(json).header());
        measure(
                "compare two equal ConfigMaps",
                i -> assertThat(SemanticEquality.same(object, equal)).isTrue());
    }

    /** Returns an engine whose work is all done by the thread that causes it. */
    private static Engine onThisThread() {
        return Engine.builder()
                .clock(new VirtualScheduler(1).clock())
                .executor(Runnable::run)
                .build();
    }

    private void engine() {
        try (Engine engine = onThisThread()) {
            Client client = engine.client();
            Kind<Encoded> kind = MAPS.encoded();
            measure("create", i -> client.create(kind, map(i, 1), WriteOptions.DEFAULT));
            measure("get", i -> client.get(kind, key(1)));
            measure("get, decoded", i -> client.get(MAPS, key(1)));
            measure("update", i -> client.update(kind, map(2, i), WriteOptions.DEFAULT));
            measure("update without a change", i -> client.update(kind, map(3, 3), WriteOptions.DEFAULT));
            measure(
                    "merge patch",
                    i -> client.patch(
                            kind, key(4), Patch.merge("{\"data\":{\"version\":\"" + i + "\"}}"), WriteOptions.DEFAULT));
            WriteOptions manager = WriteOptions.DEFAULT.fieldManager("bench").force(true);
            measure("apply", i -> client.apply(kind, map(5, i), manager));
            measure("apply without a change", i -> client.apply(kind, map(6, 6), manager));
            measure("delete", i -> client.delete(kind, key(i), DeleteOptions.DEFAULT));
            IntStream.range(0, OBJECTS)
                    .forEach(i -> assertThat(client.create(kind, map(i, 1), WriteOptions.DEFAULT))
                            .isNotNull());
            measure("list 100", i -> client.list(kind, ListOptions.in("default")));
            ListOptions none = ListOptions.in("default").labels(LabelSelector.parse("app=other"));
            measure("list by a label that none of 100 has", i -> client.list(kind, none));
            try (Watch<Encoded> watch = client.watch(kind, ListOptions.in("default"))) {
                measure("update, and its event in a watch", i -> {
                    client.update(kind, map(7, i), WriteOptions.DEFAULT);
                    while (watch.ready()) {
                        next(watch);
                    }
                });
            }
        }
    }

    private static void next(Watch<Encoded> watch) {
        try {
            assertThat(watch.next()).isPresent();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void customResources() {
        try (Engine engine = onThisThread()) {
            Client client = engine.client();
            client.create(Fixture.parse(CustomResourceDefinition.class, StoredObjects.WIDGET_TYPE));
            Kind<Encoded> kind = Kind.generic(StoredObjects.WIDGET_API, "v1", "Widget", "widgets", true)
                    .encoded();
            measure(
                    "create a custom resource",
                    i -> client.create(
                            kind, Encoded.of(StoredObjects.widget(StoredObjects.name(i))), WriteOptions.DEFAULT));
            measure(
                    "patch the status of a custom resource",
                    i -> client.patchStatus(
                            kind,
                            key(1),
                            Patch.merge("{\"status\":{\"ready\":" + (i % 2 == 0) + "}}"),
                            WriteOptions.DEFAULT));
        }
    }

    private void queue() {
        KeyQueue queue = KeyQueue.evenkeel(new VirtualScheduler(1), 1);
        List<KeyQueue.Key> keys = IntStream.range(0, OBJECTS)
                .mapToObj(i -> new KeyQueue.Key("default", StoredObjects.name(i)))
                .toList();
        measure("add, take and complete 100 keys", i -> {
            keys.forEach(queue::add);
            keys.forEach(key -> work(queue));
        });
        queue.shutDown();
    }

    private static void work(KeyQueue queue) {
        try {
            assertThat(queue.work(key -> {})).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void cache() {
        VirtualScheduler scheduler = new VirtualScheduler(1);
        ScriptedClient feed = new ScriptedClient(IntStream.range(0, OBJECTS)
                .mapToObj(i -> Encoded.of(Fixture.kept(i, OBJECTS, 1)))
                .toList());
        try (Informer<ConfigMap> informer =
                new Informer<>(feed.client(), MAPS, ListOptions.ALL, scheduler, InformerOptions.DEFAULT)) {
            informer.start();
            scheduler.settle();
            ObjectKey one = ObjectKey.of(Fixture.namespace(1), StoredObjects.name(1));
            LabelSelector all = LabelSelector.parse(Fixture.APP + "=" + Fixture.app(0, OBJECTS));
            measure("get from a cache", i -> informer.cache().get(one).orElseThrow());
            measure(
                    "list 100 of a cache by a label",
                    i -> assertThat(informer.cache().list(all).size()).isEqualTo(OBJECTS));
            measure("a change taken by a cache", i -> {
                feed.modified(Fixture.kept(i % OBJECTS, OBJECTS, feed.next()));
                scheduler.settle();
            });
        }
    }

    private void reconcilers() {
        List<SubReconciler<ConfigMap>> parts = Collections.nCopies(10, (reconciliation, resource) -> Result.done());
        @SuppressWarnings("unchecked") // contains values of type T only
        SubReconciler<ConfigMap>[] array = parts.toArray(SubReconciler[]::new);
        try (ReconcileSuite.Bed bed = new ReconcileSuite.Bed(1, 1, Sequence.of(array))) {
            measure("reconcile: an empty tree of 10 parts", i -> bed.reconcile());
        }
        try (ReconcileSuite.Bed bed = new ReconcileSuite.Bed(
                1,
                1,
                ReconcileSuite.child()
                        .merge((actual, desired) -> actual.setData(desired.getData()))
                        .build())) {
            settled(bed);
            measure("reconcile: one child, updated, nothing to do", i -> bed.reconcile());
        }
        try (ReconcileSuite.Bed bed = new ReconcileSuite.Bed(
                1, 1, ReconcileSuite.child().fieldManager("bench").build())) {
            settled(bed);
            measure("reconcile: one child, applied, nothing to do", i -> bed.reconcile());
        }
    }

    private static void settled(ReconcileSuite.Bed bed) {
        bed.reconcile();
        bed.settle();
        bed.reconcile();
        bed.settle();
    }
}
