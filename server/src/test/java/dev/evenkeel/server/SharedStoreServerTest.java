package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.SharedStore;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.StoreException;
import dev.evenkeel.engine.store.MemoryStore;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two servers on one store, one of which cannot always reach it. */
@Timeout(300)
class SharedStoreServerTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String CRD = """
        {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"widgets.x.io"},
         "spec":{"group":"x.io","scope":"Namespaced","names":{"plural":"widgets","kind":"Widget"},
         "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}\
        """;

    private final MemoryStore data = new MemoryStore();
    private final AtomicReference<SharedStore> opened = new AtomicReference<>();
    private final Engine first = engine();
    private final Engine second = engine();
    private final SharedStore store = opened.get();
    private final Server one = server(first);
    private final Server two = server(second);
    private final HttpClient http = HttpClient.newHttpClient();

    private Engine engine() {
        return Engine.builder().store(this::open).build();
    }

    private Store open(Store.Context context) {
        opened.set(new SharedStore(data, context, 1));
        return opened.get();
    }

    private static Server server(Engine engine) {
        return Server.builder(engine).authentication(false).tls(false).start();
    }

    @AfterEach
    void close() {
        http.close();
        one.close();
        two.close();
        first.close();
        second.close();
        data.close();
    }

    private HttpResponse<String> send(Server server, String method, String path, String body) {
        try {
            return http.send(
                    HttpRequest.newBuilder(server.url().resolve(path))
                            .header("Content-Type", "application/json")
                            .method(method, HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private HttpResponse<String> get(Server server, String path) {
        return send(server, "GET", path, "");
    }

    private HttpResponse<String> create(Server server, String name) {
        return send(server, "POST", MAPS, Fixture.configMap(name, "v"));
    }

    @Test
    void aServerIsReadyOnlyWhileItsStoreCanBeUsed() {
        store.reachable(false);
        HttpResponse<String> ready = get(two, "/readyz");
        assertThat(ready.statusCode()).isEqualTo(500);
        assertThat(ready.body()).contains("[+]ping ok", "[-]etcd failed", "readyz check failed");
        assertThat(get(two, "/readyz/etcd").statusCode()).isEqualTo(500);
        assertThat(get(two, "/readyz/ping").statusCode()).isEqualTo(200);
        assertThat(get(two, "/readyz?exclude=etcd&exclude=etcd-readiness").statusCode())
                .isEqualTo(200);
        assertThat(get(two, "/livez?verbose").body()).contains("[+]etcd ok");
        assertThat(get(two, "/livez").statusCode()).isEqualTo(200);
        assertThat(get(one, "/readyz").statusCode()).isEqualTo(200);
        assertThat(get(two, "/metrics").statusCode()).isEqualTo(200);

        store.reachable(true);
        assertThat(get(two, "/readyz").body()).isEqualTo("ok");
        assertThat(get(two, "/readyz?verbose").body()).contains("[+]etcd ok", "readyz check passed");
    }

    @Test
    void readsOfVersionZeroAreAnsweredWithAWarningWhileTheStoreCannotBeReached() {
        create(two, "a");
        store.reachable(false);
        for (String path : new String[] {MAPS, MAPS + "/a"}) {
            HttpResponse<String> old = get(two, path + "?resourceVersion=0");
            assertThat(old.statusCode()).isEqualTo(200);
            assertThat(old.headers().firstValue("Warning").orElse(""))
                    .startsWith("299 - \"")
                    .contains("as old as 1970-01-01T00:00:00Z");
            assertThat(get(two, path).statusCode()).isEqualTo(504);
        }
        store.reachable(true);
        assertThat(get(two, MAPS + "?resourceVersion=0").headers().firstValue("Warning"))
                .isEmpty();
        assertThat(get(two, MAPS).statusCode()).isEqualTo(200);
    }

    @Test
    void writesAreAnsweredByTheReasonOfTheStore() {
        store.reachable(false);
        HttpResponse<String> unavailable = create(two, "a");
        assertThat(unavailable.statusCode()).isEqualTo(503);
        assertThat(unavailable.headers().firstValue("Retry-After")).contains("1");

        store.reachable(true);
        store.failNext(StoreException.Reason.UNKNOWN);
        HttpResponse<String> unknown = create(two, "a");
        assertThat(unknown.statusCode()).isEqualTo(504);
        assertThat(unknown.body()).contains("the commit is UNKNOWN");
        store.failNext(StoreException.Reason.TOO_LARGE);
        assertThat(create(two, "b").statusCode()).isEqualTo(413);
        assertThat(create(two, "b").statusCode()).isEqualTo(201);
        assertThat(get(one, MAPS + "/a").statusCode()).isEqualTo(200);
    }

    @Test
    void aDefinitionAcknowledgedByOneServerIsServedByTheOther() {
        store.deliver(SharedStore.Delivery.HELD);
        String widgets = "/apis/x.io/v1/namespaces/default/widgets";
        assertThat(get(two, widgets).statusCode()).isEqualTo(404);
        assertThat(send(one, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", CRD)
                        .statusCode())
                .isEqualTo(201);
        assertThat(get(two, widgets).statusCode()).isEqualTo(200);
    }
}
