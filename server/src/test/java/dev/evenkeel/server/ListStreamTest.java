package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.builtin.ProtobufFormat;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Lists that are sent item by item, and parameters of lists that are not served. */
class ListStreamTest {
    private static final String MAPS = Fixture.MAPS;

    private final Fixture fixture = Fixture.insecure();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static void streamed(HttpResponse<?> answer) {
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Length")).isEmpty();
        assertThat(answer.headers().firstValue("Transfer-Encoding")).contains("chunked");
    }

    private static List<String> names(JsonObject list) {
        return list.objects("items").stream()
                .map(item -> item.string("metadata", "name"))
                .filter(name -> name.startsWith("m"))
                .toList();
    }

    @Test
    void largeListsAreStreamed() throws IOException, InterruptedException {
        String value = "x".repeat(900_000);
        List<String> all = IntStream.range(0, 8).mapToObj(i -> "m" + i).toList();
        for (String name : all) {
            assertThat(fixture.post(MAPS, Fixture.configMap(name, value)).statusCode())
                    .isEqualTo(201);
        }
        HttpResponse<String> json = fixture.get(MAPS);
        streamed(json);
        assertThat(json.body()).startsWith("{\"kind\":\"ConfigMapList\"").endsWith("]}");

        HttpRequest request = fixture.request(MAPS)
                .header("Accept", ProtobufFormat.MEDIA_TYPE)
                .build();
        HttpResponse<byte[]> protobuf = fixture.http.send(request, BodyHandlers.ofByteArray());
        streamed(protobuf);
        JsonObject decoded = ProtobufFormat.decode(ProtobufFormat.open(protobuf.body()));
        assertThat(names(decoded)).isEqualTo(all);
        assertThat(decoded.objects("items"))
                .filteredOn(item -> item.string("metadata", "name").startsWith("m"))
                .allSatisfy(item -> assertThat(item.string("data", "k")).isEqualTo(value));

        HttpResponse<String> limited = fixture.get(MAPS + "?limit=2");
        streamed(limited);
    }

    @Test
    void shardsAreNotServedWithoutTheirFeature() {
        fixture.create("m1");
        fixture.create("m2");
        String none = "shardSelector=shardRange(object.metadata.uid,%20'0x0',%20'0x0')";
        JsonObject list = Fixture.tree(fixture.get(MAPS + "?" + none));
        assertThat(names(list)).containsExactly("m1", "m2");
        assertThat(list.object("metadata").has("shardInfo")).isFalse();
        assertThat(names(Fixture.tree(fixture.get(MAPS + "?shardSelector=malformed("))))
                .containsExactly("m1", "m2");
        String events = fixture.get(MAPS + "?watch=true&timeoutSeconds=1&resourceVersion=0&" + none)
                .body();
        assertThat(events).contains("\"name\":\"m1\"").contains("\"name\":\"m2\"");
    }

    @Test
    void aWatchMayBeginWithTheList() {
        fixture.create("m1");
        String events = fixture.get(MAPS
                        + "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
                        + "&timeoutSeconds=1")
                .body();
        assertThat(events.indexOf("\"name\":\"m1\"")).isPositive();
        assertThat(events.indexOf("k8s.io/initial-events-end")).isGreaterThan(events.indexOf("\"name\":\"m1\""));
    }
}
