package dev.evenkeel.benchmarks;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.DeleteOptions;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * A resource API without a network.
 *
 * @param create creates the {@link StoredObjects#widget Widget} of a text
 * @param get reads the Widget of a number
 * @param delete deletes it
 * @param fill stores Widgets with numbers below a bound
 */
record InProcess(Consumer<byte[]> create, IntConsumer get, IntConsumer delete, IntConsumer fill, Runnable end)
        implements AutoCloseable {
    @Override
    public void close() {
        end.run();
    }

    /** Returns the microseconds for a create and a get in a store of constant size: the median of all. */
    static double micros(InProcess api, int stored, RunLength length) {
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
                number -> partition.get(widget.apply(number), ""),
                number -> partition.delete(widget.apply(number), DeleteOptions.DEFAULT),
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
