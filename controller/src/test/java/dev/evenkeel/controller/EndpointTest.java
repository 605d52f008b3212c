package dev.evenkeel.controller;

import static dev.evenkeel.controller.Objects.configMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Kind;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The endpoint of a manager, over a real socket. */
@Timeout(300)
class EndpointTest {
    private final HttpClient http = HttpClient.newHttpClient();

    private HttpResponse<String> get(Endpoint endpoint, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + endpoint.address().getPort() + path);
        return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void answersProbesAndPeople() throws Exception {
        CountDownLatch reconciled = new CountDownLatch(1);
        try (Engine engine = Engine.create();
                Manager manager = Manager.builder(engine.client())
                        .listener(event -> {
                            if (event instanceof ControllerEvent.Reconciled) {
                                reconciled.countDown();
                            }
                        })
                        .build();
                Endpoint endpoint = Endpoint.start(manager, 0, () -> "some_metric 1")) {
            assertThat(endpoint.address().getAddress().isLoopbackAddress()).isTrue();
            ConfigMap unused = engine.client().create(configMap("a", "1"));
            manager.add(Controller.of(ConfigMap.class, any -> Result.done()));

            assertThat(get(endpoint, "/healthz").statusCode()).isEqualTo(200);
            HttpResponse<String> before = get(endpoint, "/readyz");
            assertThat(before.statusCode()).isEqualTo(503);
            assertThat(before.body()).contains("not started");

            manager.start();
            reconciled.await();

            assertThat(get(endpoint, "/readyz").body()).isEqualTo("ok\n");
            assertThat(get(endpoint, "/metrics").body()).isEqualTo("some_metric 1\n");
            assertThat(get(endpoint, "/dependencies").body()).startsWith("flowchart LR");
            String id = Kind.of(ConfigMap.class).id();
            assertThat(get(endpoint, "/explain/" + id + "/default/a").body()).contains("configmaps default/a");
            assertThat(get(endpoint, "/explain/nobody/default/a").statusCode()).isEqualTo(404);
            assertThat(get(endpoint, "/explain/" + id).statusCode()).isEqualTo(400);
        }
    }
}
