package dev.evenkeel.benchmarks;

import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.DeleteOptions;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.Store.Change;
import dev.evenkeel.engine.spi.Store.Value;
import dev.evenkeel.engine.store.MemoryStore;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The engine in process, without a server. */
final class EngineSuite {
    private static final String RBAC = "rbac.authorization.k8s.io";

    private EngineSuite() {}

    static void run(ReportSection section) throws Exception {
        RunLength length = section.length();
        double _ = InProcess.micros(InProcess::evenkeel, 0, length)
                + InProcess.micros(InProcess::mock, 0, length); // compiles both
        for (int stored : new int[] {0, 1_000, 10_000, 100_000}) {
            section.both(
                    "create + get of a 1 KB custom resource" + (stored == 0 ? "" : ", with " + stored + " stored"),
                    Unit.MICROSECONDS,
                    InProcess.micros(InProcess::evenkeel, stored, length),
                    InProcess.micros(InProcess::mock, stored, length),
                    "fabric8 mock dispatcher 7.8.0");
        }
        for (int stored : new int[] {1_000, 10_000, 100_000}) {
            section.ours("raw store commits, " + stored + " stored", Unit.PER_SECOND, commits(stored, length));
        }
        for (int bindings : new int[] {10, 1_000, 10_000}) {
            section.ours(
                    "authorization of a request, " + bindings + " role bindings",
                    Unit.MICROSECONDS,
                    1e6 / decisions(bindings, length));
        }
    }

    /** Returns the decisions per second about users that each have a binding of their own, half of them refusals. */
    private static double decisions(int bindings, RunLength length) throws Exception {
        try (Engine engine = Engine.builder().authorization(Authorization.RBAC).build()) {
            ResourceApi partition = ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION));
            create(
                    partition,
                    "roles",
                    "{\"metadata\":{\"name\":\"reader\"},\"rules\":[{\"apiGroups\":[\"\",\"apps\"],\"resources\":"
                            + "[\"pods\",\"pods/log\",\"deployments\"],\"verbs\":[\"get\",\"list\",\"watch\"]}]}");
            Attributes[] requests = new Attributes[bindings];
            for (int i = 0; i < bindings; i++) {
                create(
                        partition,
                        "rolebindings",
                        "{\"metadata\":{\"name\":\"b" + i + "\"},\"roleRef\":{\"apiGroup\":\"" + RBAC
                                + "\",\"kind\":\"Role\",\"name\":\"reader\"},\"subjects\":[{\"kind\":\"User\",\"apiGroup\":\""
                                + RBAC + "\",\"name\":\"user" + i + "\"}]}");
                requests[i] = Attributes.ofResource(
                        User.of("user" + i, "devs"),
                        i % 2 == 0 ? "get" : "delete",
                        "",
                        "v1",
                        "pods",
                        "",
                        "default",
                        "p");
            }
            return Load.perSecond(length, count -> {
                int next = (int) (count * 7_919L % bindings);
                if (partition.permissions().authorize(requests[next]).allowed() != (next % 2 == 0)) {
                    throw new IllegalStateException("a wrong decision about " + requests[next]);
                }
            });
        }
    }

    private static void create(ResourceApi partition, String resource, String body) {
        Target target =
                partition.types().resource(RBAC, "v1", resource).orElseThrow().withName("default", "");
        partition.create(target, Body.json(body), WriteOptions.DEFAULT);
    }

    private record Bytes(byte[] bytes) implements Value {}

    private static double commits(int stored, RunLength length) throws Exception {
        try (MemoryStore store = new MemoryStore()) {
            Value value = new Bytes(StoredObjects.configMap(0));
            Store.Key[] keys = new Store.Key[stored];
            for (int i = 0; i < stored; i++) {
                keys[i] = new Store.Key("default/configmaps", "default", StoredObjects.name(i));
                store.commit(List.of(new Change(keys[i], 0, value)));
            }
            return Load.perSecond(length, count -> {
                Store.Key key = keys[(int) (count * 7_919L % stored)];
                Store.Entry entry = store.snapshot().get(key);
                store.commit(List.of(new Change(key, entry == null ? 0 : entry.revision(), value)));
            });
        }
    }

    /**
     * A resource API without a network.
     *
     * @param create creates the {@link StoredObjects#widget Widget} of a text
     * @param get reads the Widget of a number
     * @param delete deletes it
     * @param fill stores Widgets with numbers below a bound
     */
    private record InProcess(
            Consumer<byte[]> create, IntConsumer get, IntConsumer delete, IntConsumer fill, Runnable end)
            implements AutoCloseable {
        @Override
        public void close() {
            end.run();
        }

        /** Returns the microseconds for a create and a get in a store of constant size: the median of all. */
        static double micros(Supplier<InProcess> start, int stored, RunLength length) {
            try (InProcess api = start.get()) {
                api.fill.accept(stored);
                RunLength.Window window = length.window();
                long[] nanos = new long[1_024];
                int count = 0;
                for (int i = stored; window.open(count > 0); i++) {
                    byte[] body = StoredObjects.widget(StoredObjects.name(i));
                    long from = System.nanoTime();
                    api.create.accept(body);
                    api.get.accept(i);
                    long to = System.nanoTime();
                    api.delete.accept(i);
                    if (window.measures()) {
                        nanos = count < nanos.length ? nanos : Arrays.copyOf(nanos, 2 * count);
                        nanos[count++] = to - from;
                    }
                }
                Arrays.sort(nanos, 0, count);
                return nanos[count / 2] / 1e3;
            }
        }

        /** Returns our engine, through the verbs that its server calls. */
        static InProcess evenkeel() {
            Engine engine = Engine.create();
            ResourceApi partition = ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION));
            Target types = partition
                    .types()
                    .resource("apiextensions.k8s.io", "v1", "customresourcedefinitions")
                    .orElseThrow();
            partition.create(types, Body.json(StoredObjects.WIDGET_TYPE), WriteOptions.DEFAULT);
            Target widgets = partition
                    .types()
                    .resource(StoredObjects.WIDGET_API, "v1", "widgets")
                    .orElseThrow()
                    .withName("default", "");
            IntFunction<Target> widget = number -> widgets.withName("default", StoredObjects.name(number));
            Consumer<byte[]> create = body -> partition.create(widgets, Body.json(body), WriteOptions.DEFAULT);
            return new InProcess(
                    create,
                    number -> partition.get(widget.apply(number), "", User.ADMIN),
                    number -> partition.delete(widget.apply(number), DeleteOptions.DEFAULT, Requester.IN_PROCESS),
                    to -> IntStream.range(0, to)
                            .mapToObj(number -> StoredObjects.widget(StoredObjects.name(number)))
                            .forEach(create),
                    engine::close);
        }

        /** Returns the mock server's dispatcher. */
        static InProcess mock() {
            String path = "/apis/" + StoredObjects.WIDGET_API + "/v1/namespaces/default/widgets";
            KubernetesCrudDispatcher dispatcher = new KubernetesCrudDispatcher();
            IntFunction<String> widget = number -> path + "/" + StoredObjects.name(number);
            return new InProcess(
                    body -> MockServer.create(dispatcher, path, body),
                    number -> MockServer.check(dispatcher.handleGet(widget.apply(number))),
                    number -> MockServer.check(dispatcher.handleDelete(widget.apply(number))),
                    to -> {
                        if (to > 0) {
                            MockServer.fill(dispatcher, path, 0, to);
                        }
                    },
                    dispatcher::reset);
        }
    }
}
