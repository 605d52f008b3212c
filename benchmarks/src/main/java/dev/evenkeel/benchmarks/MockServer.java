package dev.evenkeel.benchmarks;

import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.ServerRequest;
import io.fabric8.mockwebserver.ServerResponse;
import io.fabric8.mockwebserver.crud.AttributeSet;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import io.fabric8.mockwebserver.http.Buffer;
import io.fabric8.mockwebserver.http.Dispatcher;
import io.fabric8.mockwebserver.http.Headers;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.logging.Level;
import java.util.logging.Logger;

/** fabric8's mock server in CRUD mode. */
final class MockServer implements ServerUnderTest {
    static final String NAME = "fabric8 mock server 7.8.0";

    /**
     * The logger, which writes two lines for each request, whose cost would be measured too. Held strongly, since
     * unreferenced loggers lose their levels.
     */
    private static final Logger LOGGER = Logger.getLogger(MockWebServer.class.getName());

    private final KubernetesCrudDispatcher dispatcher = new KubernetesCrudDispatcher();
    private final KubernetesMockServer server = start(new HashMap<>(), dispatcher);

    /** Keeps it from writing lines for each request. */
    static void quiet() {
        LOGGER.setLevel(Level.WARNING);
    }

    static KubernetesMockServer start(Map<ServerRequest, Queue<ServerResponse>> responses, Dispatcher dispatcher) {
        quiet();
        var server = new KubernetesMockServer(new Context(), new MockWebServer(), responses, dispatcher, false);
        server.init(InetAddress.getLoopbackAddress(), 0);
        return server;
    }

    @Override
    public int port() {
        return server.getPort();
    }

    /**
     * Puts objects directly into the mock's map, in its own form: its creates look at all objects, so 100,000 of them
     * would take more than half an hour.
     */
    @Override
    public void fill(int from, int to) {
        fill(dispatcher, StoredObjects.COLLECTION, from, to);
    }

    static void fill(KubernetesCrudDispatcher dispatcher, String path, int from, int to) {
        String name = StoredObjects.name(from);
        create(dispatcher, path, path.endsWith("widgets") ? StoredObjects.widget(name) : StoredObjects.configMap(from));
        String text = dispatcher.getMap().values().stream()
                .filter(value -> value.contains(name))
                .findFirst()
                .orElseThrow();
        for (int i = from + 1; i < to; i++) {
            String next = text.replace(name, StoredObjects.name(i));
            AttributeSet attributes = dispatcher.getAttributeExtractor().fromResource(next);
            dispatcher.getMap().put(AttributeSet.merge(dispatcher.getKey(path), attributes), next);
        }
    }

    static void create(KubernetesCrudDispatcher dispatcher, String path, byte[] body) {
        MockResponse response = dispatcher.handleCreate(new RecordedRequest(
                "HTTP/1.1", HttpMethod.POST, path, Headers.builder().build(), new Buffer(body)));
        check(response);
    }

    static void check(MockResponse response) {
        if (response.code() >= 300) {
            throw new IllegalStateException("the mock server answered " + response.code());
        }
    }

    @Override
    public void close() {
        server.destroy();
    }
}
