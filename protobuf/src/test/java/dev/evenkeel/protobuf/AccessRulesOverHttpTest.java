package dev.evenkeel.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.protobuf.demo.v1.Artist;
import dev.evenkeel.server.Server;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Iterator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rules that decide by the content of an object, over the Kubernetes API. */
class AccessRulesOverHttpTest {
    private static final String ARTISTS = "/apis/catalog.demo.example.com/v1/namespaces/default/artists";

    private final Engine engine = Engine.builder()
            .executor(Runnable::run)
            .register(ProtobufType.of(Artist.getDefaultInstance())
                    .authorizeRead((access, id, artist) ->
                            artist.get().getOwner().equals(access.user().name()))
                    .authorizeWrite((access, id, artist) ->
                            artist.get().getOwner().equals(access.user().name()))
                    .build())
            .build();
    private final Server server = Server.builder(engine)
            .tls(false)
            .token("ann-token", User.of("ann"))
            .token("bob-token", User.of("bob"))
            .start();
    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeEach
    void write() throws Exception {
        assertThat(send("ann", "POST", ARTISTS, artist("hers", "ann")).statusCode())
                .isEqualTo(201);
        assertThat(send("bob", "POST", ARTISTS, artist("his", "bob")).statusCode())
                .isEqualTo(201);
    }

    @AfterEach
    void stop() {
        http.close();
        server.close();
        engine.close();
    }

    private static String artist(String name, String owner) {
        return "{\"apiVersion\":\"catalog.demo.example.com/v1\",\"kind\":\"Artist\",\"metadata\":{\"name\":\"" + name
                + "\"},\"spec\":{\"owner\":\"" + owner + "\"}}";
    }

    private HttpRequest.Builder request(String user, String path) {
        return HttpRequest.newBuilder(URI.create(server.url() + path))
                .header("Authorization", "Bearer " + user + "-token");
    }

    private HttpResponse<String> send(String user, String method, String path, String body)
            throws IOException, InterruptedException {
        String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
        return http.send(
                request(user, path)
                        .header("Content-Type", type)
                        .method(
                                method,
                                body.isEmpty()
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    void anObjectThatMustNotBeReadIsNotFoundAndNotListed() throws Exception {
        assertThat(send("ann", "GET", ARTISTS + "/hers", "").statusCode()).isEqualTo(200);
        HttpResponse<String> hidden = send("ann", "GET", ARTISTS + "/his", "");
        assertThat(hidden.statusCode()).isEqualTo(404);
        assertThat(hidden.body()).doesNotContain("bob");
        assertThat(send("ann", "GET", ARTISTS, "").body()).contains("\"hers\"").doesNotContain("\"his\"", "bob");
    }

    @Test
    void theOldAndTheNewContentMustBeAllowedForAWrite() throws Exception {
        String toAnn = "{\"spec\":{\"owner\":\"ann\"}}";
        String toBob = "{\"spec\":{\"owner\":\"bob\"}}";
        assertThat(send("ann", "PATCH", ARTISTS + "/his", toAnn).statusCode()).isIn(403, 404);
        assertThat(send("ann", "PATCH", ARTISTS + "/hers", toBob).statusCode()).isEqualTo(403);
        assertThat(send("ann", "POST", ARTISTS, artist("x", "bob")).statusCode())
                .isEqualTo(403);
        assertThat(send("ann", "DELETE", ARTISTS + "/his", "").statusCode()).isIn(403, 404);
        assertThat(send("bob", "GET", ARTISTS + "/his", "").body()).contains("\"owner\":\"bob\"");
    }

    @Test
    void aWatchDeletesWhatMustNotBeReadAnyMore() throws Exception {
        HttpResponse<Stream<String>> watch =
                http.send(request("ann", ARTISTS + "?watch=true").build(), BodyHandlers.ofLines());
        try (Stream<String> lines = watch.body()) {
            Iterator<String> events = lines.iterator();
            assertThat(events.next()).contains("\"ADDED\"", "\"hers\"");
            var given = engine.client()
                    .patch(
                            Kind.generic("catalog.demo.example.com", "v1", "Artist", "artists", true),
                            ObjectKey.of("default", "hers"),
                            Patch.merge("{\"spec\":{\"owner\":\"bob\"}}"),
                            WriteOptions.DEFAULT);
            assertThat(given.getMetadata().getName()).isEqualTo("hers");
            assertThat(events.next()).contains("\"DELETED\"", "\"hers\"").doesNotContain("bob");
        }
    }
}
