package dev.evenkeel.benchmarks;

import static dev.evenkeel.benchmarks.ReportSection.check;

import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.kubernetes.KubernetesClient;
import dev.evenkeel.store.sqlite.Durability;
import dev.evenkeel.store.sqlite.SqliteOptions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The growth of costs: each with several sizes of the world, and the slope of a line through the logarithms. A slope of 0
 * means that the cost does not depend on the size, of 1 that it is proportional to it.
 */
final class ScaleSuite {
    private static final int PAGE = 500;
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);

    private static final Kind<Encoded> DEFINITIONS = Kind.generic(
                    "apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions", false)
            .encoded();
    private static final Kind<Encoded> WIDGETS = Kind.generic(
                    StoredObjects.WIDGET_API, "v1", "Widget1", "widget1s", true)
            .encoded();

    private final ReportSection section;

    /** The cost of each workload, by size. */
    private final Map<String, Map<Integer, Double>> costs = new LinkedHashMap<>();

    private ScaleSuite(ReportSection section) {
        this.section = section;
    }

    static void run(ReportSection section) throws Exception {
        ScaleSuite suite = new ScaleSuite(section);
        boolean quick = section.quick();
        suite.warmUp();
        for (int objects : quick ? new int[] {1_000, 10_000, 100_000} : new int[] {10_000, 100_000, 1_000_000}) {
            suite.objects(objects);
            suite.restart(objects);
        }
        for (int watches : quick ? new int[] {10, 100, 1_000, 10_000} : new int[] {100, 1_000, 10_000, 100_000}) {
            suite.watches(watches);
        }
        for (int watches : quick ? new int[] {100, 1_000, 10_000} : new int[] {1_000, 10_000, 100_000}) {
            suite.served(watches);
        }
        for (int types : quick ? new int[] {10, 100} : new int[] {10, 100, 1_000}) {
            suite.types(types);
        }
        for (int partitions : quick ? new int[] {1, 10, 100} : new int[] {1, 10, 100, 1_000}) {
            suite.partitions(partitions);
        }
        for (int clients : new int[] {1, 2, 4, 8, 16, 32, 64}) {
            suite.clients(clients);
        }
        suite.slopes();
    }

    private static ConfigMap map(String name) {
        return map("default", name);
    }

    private static ConfigMap map(String namespace, String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels("app", "bench")
                .endMetadata()
                .addToData("text", "lorem ipsum ".repeat(80))
                .build();
    }

    private static ObjectKey key(int number) {
        return ObjectKey.of("default", StoredObjects.name(number));
    }

    private void warmUp() throws Exception {
        try (Engine engine = Engine.create()) {
            fill(engine.client(), 0, 2_000);
            for (int i = 0; i < 5; i++) {
                double _ = requests(engine.client(), 2_000).values().stream()
                        .mapToDouble(Double::doubleValue)
                        .sum();
            }
        }
    }

    private static void fill(Client client, int from, int to) {
        for (int i = from; i < to; i++) {
            ConfigMap _ = client.create(map(StoredObjects.name(i)));
        }
    }

    /** Adds the cost of a workload with a size of the world. */
    private void cost(String workload, Unit unit, String of, int size, double value) {
        costs.computeIfAbsent(workload + " by " + of, key -> new LinkedHashMap<>())
                .put(size, value);
        section.ours(String.format(Locale.ROOT, "scale: %s, %,d %s", workload, size, of), unit, value);
    }

    private void slopes() {
        costs.forEach((workload, bySize) -> section.ours("scale: slope of " + workload, Unit.SLOPE, slope(bySize)));
    }

    /** Returns the slope of the line through the logarithms of sizes and costs, by least squares. */
    static double slope(Map<Integer, Double> costs) {
        double x = costs.keySet().stream().mapToDouble(Math::log).average().orElseThrow();
        double y = costs.values().stream().mapToDouble(Math::log).average().orElseThrow();
        double products = 0;
        double squares = 0;
        for (Map.Entry<Integer, Double> cost : costs.entrySet()) {
            double dx = Math.log(cost.getKey()) - x;
            products += dx * (Math.log(cost.getValue()) - y);
            squares += dx * dx;
        }
        return products / squares;
    }

    /** An operation, given the number of its repetition. */
    @FunctionalInterface
    private interface Operation {
        void run(int count) throws Exception;
    }

    /** Returns the median of the microseconds of batches, which a collection or another process disturbs less. */
    private static double micros(int times, Operation operation) throws Exception {
        int batches = 10;
        int each = times / batches;
        Rounds rounds = new Rounds();
        for (int batch = 0; batch < batches; batch++) {
            long from = System.nanoTime();
            for (int i = 0; i < each; i++) {
                operation.run(batch * each + i);
            }
            rounds.add((System.nanoTime() - from) / 1e3 / each);
        }
        return rounds.median();
    }

    /** Returns the microseconds of each kind of request with a number of objects stored, spread over all of them. */
    private static Map<String, Double> requests(Client client, int stored) throws Exception {
        int times = 2_000;
        int step = Math.max(1, stored / times);
        Map<String, Double> micros = new LinkedHashMap<>();
        micros.put("create", micros(times, i -> {
            ConfigMap _ = client.create(map("more-" + i));
        }));
        micros.put("get", micros(times, i -> {
            ConfigMap _ = client.get(MAPS, key(i * step % stored));
        }));
        micros.put("update", micros(times, i -> {
            ConfigMap map = map(StoredObjects.name(i * step % stored));
            map.getData().put("count", Integer.toString(i));
            ConfigMap _ = client.update(MAPS, map, WriteOptions.DEFAULT);
        }));
        micros.put("apply", micros(times, i -> {
            ConfigMap map = map(StoredObjects.name(i * step % stored));
            map.setData(Map.of("applied", Integer.toString(i)));
            ConfigMap _ = client.apply(MAPS, map, WriteOptions.DEFAULT.fieldManager("scale"));
        }));
        micros.put("list of a page of " + PAGE, micros(50, i -> {
            int items = client.list(MAPS, ListOptions.in("default").limit(PAGE))
                    .items()
                    .size();
            check(items == PAGE, "a page is full: " + items);
        }));
        for (int i = 0; i < times; i++) {
            var _ = client.delete(MAPS, ObjectKey.of("default", "more-" + i), DeleteOptions.DEFAULT);
        }
        return micros;
    }

    private void objects(int objects) throws Exception {
        long before = Heap.used();
        try (Engine engine = Engine.create()) {
            Client client = engine.client();
            fill(client, 0, objects);
            cost("heap of an object", Unit.BYTES, "objects", objects, (Heap.used() - before) / (double) objects);
            for (Map.Entry<String, Double> request : requests(client, objects).entrySet()) {
                cost(request.getKey(), Unit.MICROSECONDS, "objects", objects, request.getValue());
            }
        }
    }

    /** Starts on a durable store. */
    private void restart(int objects) throws Exception {
        double millis = StoreSuite.withDirectory(directory -> {
            SqliteOptions store = SqliteOptions.in(directory).durability(Durability.FLUSH);
            try (Engine engine = Engine.builder().store(store).build()) {
                Load.concurrently(Thread.ofVirtual(), 64, client -> {
                    for (int i = client; i < objects; i += 64) {
                        ConfigMap _ = engine.client().create(map(StoredObjects.name(i)));
                    }
                });
            }
            long from = System.nanoTime();
            try (Engine engine = Engine.builder().store(store).build()) {
                check(engine.client().find(MAPS, key(objects - 1)).isPresent(), "the last one is there");
                return (System.nanoTime() - from) / 1e6;
            }
        });
        cost("start on SQLite", Unit.MILLISECONDS, "objects", objects, millis);
    }

    private void watches(int watches) throws Exception {
        try (Engine engine = Engine.create()) {
            Client client = engine.client();
            ConfigMap first = client.create(map("first"));
            ListOptions later = ListOptions.in("default")
                    .resourceVersion(first.getMetadata().getResourceVersion());
            long before = Heap.used();
            List<Watch<ConfigMap>> all = new ArrayList<>();
            for (int i = 0; i < watches; i++) {
                all.add(client.watch(MAPS, later));
            }
            cost("heap of an idle watch", Unit.BYTES, "watches", watches, (Heap.used() - before) / (double) watches);
            Rounds writes = new Rounds();
            Rounds deliveries = new Rounds();
            for (int round = 0; round < 10; round++) {
                // which no watch sees: else the create would find nothing in the caches of the processor but the
                // watches
                for (int i = 0; i < 20; i++) {
                    ConfigMap _ = client.create(map("kube-public", "other-" + round + "-" + i));
                }
                long from = System.nanoTime();
                ConfigMap _ = client.create(map("change-" + round));
                writes.add((System.nanoTime() - from) / 1e3);
                for (Watch<ConfigMap> watch : all) {
                    var event = watch.next();
                    check(event.isPresent(), "each watch has the event");
                }
                deliveries.add((System.nanoTime() - from) / 1e3 / watches);
            }
            cost("create", Unit.MICROSECONDS, "watches", watches, writes.median());
            cost("delivery to one of all watches", Unit.MICROSECONDS, "watches", watches, deliveries.median());
            all.forEach(Watch::close);
        }
    }

    /** Watches of a server in another process, over HTTP/2 with TLS. */
    private void served(int watches) throws Exception {
        try (ApiServerProcess server = new ApiServerProcess();
                KubernetesClient client = KubernetesClient.connect(server.connection())) {
            fill(client, 0, 500);
            ConfigMap first = client.create(map("first"));
            String path = "/api/v1/namespaces/default/configmaps?watch=true&resourceVersion="
                    + first.getMetadata().getResourceVersion();
            long before = server.heap();
            try (Http2Watches all = new Http2Watches(server.connection(), path, watches)) {
                cost(
                        "heap of an idle watch over HTTP/2",
                        Unit.BYTES,
                        "watches",
                        watches,
                        (server.heap() - before) / (double) watches);
                Rounds deliveries = new Rounds();
                for (int round = 0; round < 5; round++) {
                    long from = System.nanoTime();
                    ConfigMap _ = client.create(map("change-" + round));
                    all.await((round + 1L) * watches);
                    deliveries.add((System.nanoTime() - from) / 1e6);
                }
                cost("a change at all watches over HTTP/2", Unit.MILLISECONDS, "watches", watches, deliveries.median());
            }
        }
    }

    private static void create(Client client, Kind<Encoded> kind, String json) {
        Encoded _ = client.create(kind, Encoded.of(json.getBytes(StandardCharsets.UTF_8)), WriteOptions.DEFAULT);
    }

    private static String definition(int number) {
        return StoredObjects.WIDGET_TYPE.replace("widget", "widget" + number).replace("Widget", "Widget" + number);
    }

    private void types(int types) throws Exception {
        try (Engine engine = Engine.create()) {
            Client client = engine.client();
            int measured = types / 10;
            for (int i = 0; i < types - measured; i++) {
                create(client, DEFINITIONS, definition(i));
            }
            int from = types - measured;
            cost(
                    "create of a definition",
                    Unit.MICROSECONDS,
                    "definitions",
                    types,
                    micros(Math.max(10, measured), i -> create(client, DEFINITIONS, definition(from + i))));
            cost("create of a custom resource", Unit.MICROSECONDS, "definitions", types, micros(2_000, i -> {
                String widget = new String(StoredObjects.widget("w" + i), StandardCharsets.UTF_8);
                create(client, WIDGETS, widget.replace("\"Widget\"", "\"Widget1\""));
            }));
        }
    }

    private void partitions(int partitions) throws Exception {
        try (Engine engine = Engine.create()) {
            fill(engine.client(), 0, 100);
            long before = Heap.used();
            for (int i = 0; i < partitions; i++) {
                fill(engine.partition("p" + i).client("bench"), 0, 1);
            }
            cost(
                    "heap of a partition",
                    Unit.BYTES,
                    "partitions",
                    partitions,
                    (Heap.used() - before) / (double) partitions);
            Client client = engine.partition("p0").client("bench");
            cost("create", Unit.MICROSECONDS, "partitions", partitions, micros(2_000, i -> {
                ConfigMap _ = client.create(map("more-" + i));
            }));
        }
    }

    /** Measures creates of several threads; the cost of one is the time divided by the number of all. */
    private void clients(int clients) throws Exception {
        try (Engine engine = Engine.create()) {
            Client client = engine.client();
            int each = 20_000 / clients;
            Rounds rounds = new Rounds();
            for (int round = 0; round < 5; round++) {
                int number = round;
                long from = System.nanoTime();
                Load.concurrently(Thread.ofPlatform(), clients, thread -> {
                    for (int i = 0; i < each; i++) {
                        ConfigMap _ = client.create(map("c-" + number + "-" + thread + "-" + i));
                    }
                });
                rounds.add((System.nanoTime() - from) / 1e3 / (clients * each));
            }
            cost("create", Unit.MICROSECONDS, "clients", clients, rounds.median());
        }
    }
}
