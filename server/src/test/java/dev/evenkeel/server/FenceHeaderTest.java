package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Engine;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class FenceHeaderTest {
    private final Engine engine = Engine.create();
    private final Server server =
            Server.builder(engine).authentication(false).tls(false).start();
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        http.close();
        server.close();
        engine.close();
    }

    private HttpResponse<String> send(String method, String path, String fence, String body) throws Exception {
        URI base = server.url();
        return http.send(
                HttpRequest.newBuilder(base.resolve(path))
                        .header("Evenkeel-Fence", fence)
                        .header("Content-Type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aHeaderThatCannotBeReadIsRefusedAndNothingIsWritten() throws Exception {
        String maps = "/api/v1/namespaces/default/configmaps";
        String body = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"x\"}}";

        var answer = send("POST", maps, "default/shard; holder=a", body);
        var removal = send("DELETE", maps + "/x", "shard; holder=a; transitions=1", "");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("header Evenkeel-Fence", "namespace/name; holder=", "BadRequest");
        assertThat(removal.statusCode()).isEqualTo(400);
        assertThat(removal.body()).contains("lease: ");
    }

    @Test
    void refusalsAreCounted() throws Exception {
        String body = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"x\"}}";

        var answer =
                send("POST", "/api/v1/namespaces/default/configmaps", "default/shard; holder=a; transitions=1", body);
        var metrics = send("GET", "/metrics", "", "");

        assertThat(answer.statusCode()).isEqualTo(409);
        assertThat(answer.body()).contains("\"reason\":\"FenceLost\"", "lease default/shard does not exist");
        assertThat(metrics.body()).contains("evenkeel_fence_refusals_total 1.0");
    }
}
