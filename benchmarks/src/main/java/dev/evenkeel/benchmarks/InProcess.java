package dev.evenkeel.benchmarks;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.DeleteOptions;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import java.util.Arrays;

/** A resource API without a network. */
interface InProcess extends AutoCloseable {
    /** Creates a {@link StoredObjects#widget Widget}. */
    void create(int number, byte[] body);

    /** Reads a Widget. */
    void get(int number);

    /** Deletes a Widget. */
    void delete(int number);

    /** Stores Widgets with numbers below a bound. */
    default void fill(int to) {
        for (int i = 0; i < to; i++) {
            create(i, StoredObjects.widget(StoredObjects.name(i)));
        }
    }

    @Override
    void close();

    /**
     * Returns the microseconds for a create and a get, in a store of constant size: the median, to exclude disturbances
     * by other processes.
     */
    static double micros(InProcess api, int stored, RunLength length) {
        api.fill(stored);
        RunLength.Window window = length.window();
        long[] nanos = new long[1_024];
        int count = 0;
        for (int i = stored; window.open(count > 0); i++) {
            byte[] body = StoredObjects.widget(StoredObjects.name(i));
            long from = System.nanoTime();
            api.create(i, body);
            api.get(i);
            long to = System.nanoTime();
            api.delete(i);
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
        return new InProcess() {
            @Override
            public void create(int number, byte[] body) {
                partition.create(widgets, Body.json(body), WriteOptions.DEFAULT);
            }

            @Override
            public void get(int number) {
                partition.get(widgets.withName("default", StoredObjects.name(number)), "");
            }

            @Override
            public void delete(int number) {
                partition.delete(widgets.withName("default", StoredObjects.name(number)), DeleteOptions.DEFAULT);
            }

            @Override
            public void close() {
                engine.close();
            }
        };
    }

    /** Returns the mock server's dispatcher. */
    static InProcess mock() {
        String path = "/apis/" + StoredObjects.WIDGET_API + "/v1/namespaces/default/widgets";
        KubernetesCrudDispatcher dispatcher = new KubernetesCrudDispatcher();
        return new InProcess() {
            @Override
            public void create(int number, byte[] body) {
                MockServer.create(dispatcher, path, body);
            }

            @Override
            public void get(int number) {
                MockServer.check(dispatcher.handleGet(path + "/" + StoredObjects.name(number)));
            }

            @Override
            public void delete(int number) {
                MockServer.check(dispatcher.handleDelete(path + "/" + StoredObjects.name(number)));
            }

            @Override
            public void fill(int to) {
                if (to > 0) {
                    MockServer.fill(dispatcher, path, 0, to);
                }
            }

            @Override
            public void close() {
                dispatcher.reset();
            }
        };
    }
}
