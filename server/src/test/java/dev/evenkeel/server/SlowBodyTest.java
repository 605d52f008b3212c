package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Clients that announce a body of 100,000 bytes and withhold it: other connections are served without delay. */
class SlowBodyTest {
    private static final int CLIENTS = 100;
    private static final int LENGTH = 100_000;

    /** Between looks at the metrics: what is waited for needs the processors, too. */
    private static final Duration POLL = Duration.ofMillis(50);

    @Test
    void overHttp1() throws IOException {
        List<RawConnection> slow = new ArrayList<>();
        try (Fixture fixture = fixture()) {
            String head = "POST " + Fixture.MAPS + " HTTP/1.1\r\nHost: "
                    + fixture.server.url().getAuthority() + "\r\nAuthorization: Bearer " + fixture.server.token()
                    + "\r\nContent-Type: application/json\r\nContent-Length: " + LENGTH + "\r\n\r\n{";
            for (int i = 0; i < CLIENTS; i++) {
                RawConnection connection = connection(fixture);
                slow.add(connection);
                connection.write(head.getBytes(StandardCharsets.US_ASCII));
            }
            assertServed(fixture);
        } finally {
            slow.forEach(RawConnection::close);
        }
    }

    @Test
    void overHttp2() throws Exception {
        List<HttpClient> slow = new ArrayList<>();
        try (Fixture fixture = fixture()) {
            HttpRequest request = fixture.request(Fixture.MAPS)
                    .header("Authorization", "Bearer " + fixture.server.token())
                    .POST(BodyPublishers.fromPublisher(body -> body.onSubscribe(new Withheld()), LENGTH))
                    .build();
            for (int i = 0; i < CLIENTS / 10; i++) {
                HttpClient client = HttpClient.newBuilder()
                        .version(Version.HTTP_2)
                        .sslContext(TlsTest.trust(fixture.server))
                        .build();
                slow.add(client);
                HttpRequest first = fixture.request("/version").build();
                assertThat(client.send(first, BodyHandlers.discarding()).version())
                        .isEqualTo(Version.HTTP_2);
                for (int stream = 0; stream < 10; stream++) {
                    client.sendAsync(request, BodyHandlers.discarding());
                }
            }
            while (!metrics(fixture).contains("{request_kind=\"mutating\"} " + CLIENTS)) {
                LockSupport.parkNanos(POLL.toNanos());
            }
            assertServed(fixture);
        } finally {
            slow.forEach(HttpClient::shutdownNow);
        }
    }

    /** A server that does not wait for the slow requests when it ends. */
    private static Fixture fixture() {
        Server.Limits limits = Server.Limits.DEFAULT.stopTimeout(Duration.ofMillis(100));
        return new Fixture(builder -> builder.limits(limits), HttpClient.newHttpClient());
    }

    /** A body of which no byte is ever published. */
    private static final class Withheld implements Subscription {
        @Override
        public void request(long bytes) {}

        @Override
        public void cancel() {}
    }

    private static void assertServed(Fixture fixture) {
        for (String path : List.of("/version", "/healthz")) {
            assertThat(get(fixture, path).status()).isEqualTo(200);
        }
    }

    private static String metrics(Fixture fixture) {
        return get(fixture, "/metrics").text();
    }

    /** The answer on a connection of its own; it fails after ten seconds. */
    private static RawConnection.Reply get(Fixture fixture, String path) {
        try (RawConnection fresh = connection(fixture)) {
            return fresh.send("GET", path, "application/json", new byte[0]);
        }
    }

    private static RawConnection connection(Fixture fixture) {
        return new RawConnection(fixture.server.url(), fixture.server.token());
    }
}
