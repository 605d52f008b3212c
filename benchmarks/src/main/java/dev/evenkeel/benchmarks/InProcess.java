package dev.evenkeel.benchmarks;

import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;

/** A resource API without a wire. */
interface InProcess extends AutoCloseable {
    /** Creates a {@link Bodies#widget Widget}. */
    void create(int number, byte[] body);

    /** Reads one. */
    void get(int number);

    /** Deletes one. */
    void delete(int number);

    /** Stores many. */
    void fill(int from, int to);

    @Override
    void close();

    /** Microseconds for a create and a get, in a store that keeps its size. */
    static double micros(InProcess api, int stored, Effort effort) {
        api.fill(0, stored);
        long begin = System.nanoTime() + effort.warmup().toNanos();
        long end = begin + effort.measured().toNanos();
        long nanos = 0;
        long count = 0;
        for (int i = stored; ; i++) {
            byte[] body = Bodies.widget(Bodies.name(i));
            long from = System.nanoTime();
            api.create(i, body);
            api.get(i);
            long to = System.nanoTime();
            api.delete(i);
            if (from >= begin) {
                nanos += to - from;
                count++;
            }
            if (to > end && count > 0) {
                return nanos / 1e3 / count;
            }
        }
    }

    /** The mock server's dispatcher. */
    static InProcess mock() {
        String path = "/apis/" + Bodies.WIDGET_API + "/v1/namespaces/default/widgets";
        KubernetesCrudDispatcher dispatcher = new KubernetesCrudDispatcher();
        return new InProcess() {
            @Override
            public void create(int number, byte[] body) {
                MockServer.create(dispatcher, path, body);
            }

            @Override
            public void get(int number) {
                check(dispatcher.handleGet(path + "/" + Bodies.name(number)).code());
            }

            @Override
            public void delete(int number) {
                check(dispatcher.handleDelete(path + "/" + Bodies.name(number)).code());
            }

            @Override
            public void fill(int from, int to) {
                if (from < to) {
                    MockServer.fill(dispatcher, path, from, to);
                }
            }

            @Override
            public void close() {
                dispatcher.reset();
            }

            private void check(int code) {
                if (code >= 300) {
                    throw new IllegalStateException("the mock server answered " + code);
                }
            }
        };
    }
}
