package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.store.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Pages of lists over HTTP, whose state is forgotten after a time. */
class ContinueTokenTest {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));

    private static JsonObject tree(RawConnection.Reply reply) {
        return Json.parseObject(reply.body(), JsonLimits.DEFAULT);
    }

    private static void create(RawConnection wire, String name) throws Exception {
        byte[] body = "{\"metadata\":{\"name\":\"%s\"}}".formatted(name).getBytes(StandardCharsets.UTF_8);
        assertThat(wire.send("POST", Fixture.MAPS, "application/json", body).status())
                .isEqualTo(201);
    }

    private static RawConnection.Reply page(RawConnection wire, String token) throws Exception {
        String next = token.isEmpty() ? "" : "&continue=" + token;
        return wire.send("GET", Fixture.MAPS + "?limit=1" + next, "", new byte[0]);
    }

    @Test
    void aTokenExpiresByTimeAndAnotherOneTakesItsPlace() throws Exception {
        Engine engine = Engine.builder()
                .clock(now::get)
                .window(new MemoryStore.Window(1_000, Duration.ofMinutes(5)))
                .build();
        try (TestServer server = TestServer.start(engine);
                RawConnection wire = new RawConnection(server.base(), server.token())) {
            create(wire, "a");
            create(wire, "b");
            String token = tree(page(wire, "")).string("metadata", "continue");
            create(wire, "c");
            now.updateAndGet(time -> time.plus(Duration.ofMinutes(6)));
            create(wire, "d");
            RawConnection.Reply expired = page(wire, token);
            assertThat(expired.status()).isEqualTo(410);
            JsonObject status = tree(expired);
            assertThat(status.string("reason")).isEqualTo("Expired");
            assertThat(status.string("message"))
                    .startsWith("The provided continue parameter is too old to display a consistent list result.");
            JsonObject rest = tree(page(wire, status.string("metadata", "continue")));
            assertThat(rest.objects("items"))
                    .singleElement()
                    .satisfies(
                            item -> assertThat(item.string("metadata", "name")).isEqualTo("b"));
        }
    }
}
