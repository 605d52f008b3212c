package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Kind;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Registration;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Large writes that keep more threads busy than there are processors do not keep small requests waiting. */
@Timeout(120)
class ManyLargeWritesTest {
    private static final Kind<GenericKubernetesResource> THINGS =
            Kind.generic("large.example", "v1", "Thing", "things", true);
    private static final String PATH = "/apis/large.example/v1/namespaces/default/things";
    private static final int WRITES = Runtime.getRuntime().availableProcessors() + 1;

    private final AtomicBoolean end = new AtomicBoolean();
    private final CountDownLatch validated = new CountDownLatch(WRITES);

    @Test
    void aSmallRequestIsServedMeanwhile() throws Exception {
        try (Engine engine = Engine.builder()
                        .register(Registration.of(THINGS)
                                .schema("{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}}}")
                                .validate((thing, old) -> {
                                    validated.countDown();
                                    while (!end.get()) {
                                        Thread.onSpinWait();
                                    }
                                    return List.of();
                                })
                                .build())
                        .build();
                Server server = Server.builder(engine).tls(false).start();
                HttpClient http = HttpClient.newHttpClient()) {
            List<CompletableFuture<HttpResponse<Void>>> writes = new ArrayList<>();
            try {
                for (int i = 0; i < WRITES; i++) {
                    HttpRequest write = request(server)
                            .POST(BodyPublishers.ofString("{\"apiVersion\":\"large.example/v1\",\"kind\":\"Thing\","
                                    + "\"metadata\":{\"name\":\"t-" + i + "\"},\"text\":\"" + "x".repeat(100_000)
                                    + "\"}"))
                            .build();
                    writes.add(http.sendAsync(write, BodyHandlers.discarding()));
                }
                validated.await();
                assertThat(list(http, server)).isEqualTo(200);
            } finally {
                end.set(true);
            }
            for (CompletableFuture<HttpResponse<Void>> write : writes) {
                assertThat(write.get().statusCode()).isEqualTo(201);
            }
        }
    }

    private static int list(HttpClient http, Server server) throws IOException, InterruptedException {
        return http.send(request(server).build(), BodyHandlers.discarding()).statusCode();
    }

    private static HttpRequest.Builder request(Server server) {
        return HttpRequest.newBuilder(URI.create(server.url() + PATH))
                .header("Authorization", "Bearer " + server.token())
                .header("Content-Type", "application/json");
    }
}
